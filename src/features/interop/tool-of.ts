import * as z from 'zod';

import { parseOrNull } from '../../kernel/json/parse-or-null.js';
import type { ToolOfFile } from '../../operations/shared/hooks.js';

const some = z.array(z.unknown());
/** A list whose first item is of some form. */
const first = (shape: z.core.$ZodLooseShape) => z.tuple([z.looseObject(shape)], z.unknown());
const text = z.string();
const tasks = z.looseObject({ tasks: some });
const at = 'import' as const;

/** What the JSON of each tool is told by, in the order in which it is looked for. */
const JSON_FORMS: readonly (readonly [string, ToolOfFile['read'], z.ZodType])[] = [
  ['frctl', at, z.looseObject({ root_goal_id: text, goals: z.looseObject({}) })],
  ['Task Master', at, z.union([tasks, z.record(text, z.unknown()).refine(hasTasks)])],
  ['beads', at, z.looseObject({ id: text, title: text, issue_type: text })],
  ['beads', at, z.looseObject({ id: text, title: text, status: text })],
  ['GitHub', at, first({ number: z.number(), title: text })],
  ['GitLab', null, first({ iid: z.number(), title: text })],
  ['Jira', null, z.looseObject({ issues: first({ key: text, fields: z.looseObject({}) }) })],
  ['Trello', null, z.looseObject({ cards: some, lists: some })],
  ['Asana', null, z.looseObject({ data: first({ gid: text, name: text }) })],
  ['Taskwarrior', null, first({ uuid: text, entry: text, description: text })],
];

/** What texts that are no JSON are told by. */
const TEXT_FORMS: readonly (readonly [string, ToolOfFile['read'], RegExp])[] = [
  ['Backlog.md', 'folder', /^\uFEFF?---\r?\nid: [^\n]{1,80}\r?\ntitle: [^\n]/],
  ['OpenSpec', 'folder', /^## (?:ADDED|MODIFIED|REMOVED|RENAMED) Requirements[ \t]*\r?$/m],
  ['Spec Kit', 'folder', /^[-*] \[[ xX]\] T\d{3}\b/m],
  ['todo.txt', null, /^(?:\([A-Z]\)|x) \d{4}-\d\d-\d\d \S/],
  ['Linear', null, /^"?ID"?,"?Team"?,"?Title"?,/],
  ['Jira', null, /^"?(?:Summary"?,"?Issue key|Issue key"?,"?Summary|Issue Type"?,"?Issue key)\b/i],
];

/** Tells which tool a file looks like one of, and how it is read; null where it looks like none. */
export function toolOf(content: string): ToolOfFile | null {
  const start = content.trimStart();
  if (!/^[[{]/.test(start)) {
    const [tool, read] = TEXT_FORMS.find(([, , form]) => form.test(content)) ?? [];
    return tool === undefined ? null : { tool, read: read ?? null };
  }
  const whole = parseOrNull(start);
  // Where the whole is no JSON, its first line may be.
  const value = whole ?? parseOrNull(start.slice(0, Math.max(0, start.indexOf('\n'))));
  const [tool, read] = JSON_FORMS.find(([, , form]) => form.safeParse(value).success) ?? [];
  return tool === undefined ? null : { tool, read: read ?? null };
}

function hasTasks(lists: object): boolean {
  return Object.values(lists).some((list) => tasks.safeParse(list).success);
}
