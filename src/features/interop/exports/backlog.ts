import { stringify } from 'yaml';
import * as z from 'zod';

import { oneLine, printable } from '../../../kernel/text/safe-text.js';
import { sectionText, splitSections } from '../../../kernel/text/sections.js';
import { rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import { depthFirst } from '../../../plan/tree.js';
import type { ExportedFile } from '../../../exports/exported-file.js';
import { goalCriteria } from '../../../exports/goal-criteria.js';
import type { ToolRecord } from '../as-was.js';
import { readBacklogText, SECTIONS } from '../backlog-file.js';
import { criterionItem } from '../criteria.js';
import {
  finalStatuses,
  isCleanConfig,
  isCleanText,
  readBacklogRecord,
  readMilestoneRecord,
} from '../imports/backlog-plan.js';
import { DEPENDS_ON, PART_OF } from '../imports/repair-links.js';
import { readStatus } from '../status-words.js';
import { isSameConfig, patchedText } from './backlog-text.js';
import {
  asWasOf,
  isAsDerived,
  keptMembers,
  meaningOf,
  originalOf,
  originalText,
  originalTexts,
  originalNamer,
  recordsAsWere,
} from './original-fields.js';

/**
 * The folder of Backlog.md: a file for each goal below the root, a milestone for each that was one, and its settings. Tasks keep
 * the ids and the files that they had; a new one has the next of its parent. What cannot be an id is none. A plan of one goal is
 * one task. What was imported and not changed is as it was; of what was changed, that alone is another.
 */
export function toBacklog(plan: Plan): readonly ExportedFile[] {
  const records = recordsAsWere(plan, 'backlog', backlogRecords, isCleanRecord);
  const taken = new Set<string>();
  return [...records].map(([id, { file, text }]) => {
    const goal = plan.goals.get(id);
    const isConfig = id === plan.header.root_goal_id && file === 'config.yml';
    const folder =
      goal === undefined || isConfig
        ? 'backlog'
        : isMilestone(goal)
          ? 'backlog/milestones'
          : originalOf(goal, 'backlog')['completed'] === true
            ? 'backlog/completed'
            : 'backlog/tasks';
    const path = `${folder}/${freeName(folder, String(file), taken)}`;
    return { path, text: String(text) };
  });
}

/** A name that no file of a folder has, in either case. */
function freeName(folder: string, wanted: string, taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : wanted.replace(/(\.md)?$/, `-${number}$1`);
    const known = `${folder}/${name}`.normalize('NFC').toLowerCase();
    if (taken.has(known)) continue;
    taken.add(known);
    return name;
  }
}

/** The name and the text of the file of each goal, by its id; that of the root is `config.yml`, unless it is a task. */
export function backlogRecords(plan: Plan): ReadonlyMap<string, ToolRecord> {
  const root = rootOf(plan);
  const goals = goalsOf(plan);
  const tasks = goals.filter((goal) => !isMilestone(goal));
  const milestones = goals.filter(isMilestone);
  const ids = idsOf(tasks);
  const milestoneIds = milestoneIdsOf(milestones);
  const settings = settingsOf(root);
  const final = finalStatuses(settings.statuses);
  const config = { file: 'config.yml', text: configOf(root) };
  const records = new Map<string, ToolRecord>();
  const keep = (goal: Goal, written: ToolRecord, read: Parameters<typeof patchedText>[3]) => {
    const { as_was = {} } = asWasOf(goal, 'backlog');
    const text = as_was['text'];
    const patched =
      typeof text === 'string'
        ? { text: patchedText(text, String(written['text']), meaningOf(goal), read) }
        : {};
    const isFile = isFileName(as_was['file']);
    const file = isFile ? { file: as_was['file'] } : {};
    records.set(goal.id, { ...written, ...patched, ...file });
  };
  const configWas = asWasOf(root, 'backlog').as_was?.['text'];
  const isConfig = typeof configWas === 'string' && isSameConfig(configWas, config.text);
  if (!goals.includes(root)) records.set(root.id, isConfig ? { ...config, text: configWas } : config);
  for (const goal of milestones)
    keep(goal, milestoneFile(goal, milestoneIds.get(goal.id) ?? ''), readMilestoneRecord);
  for (const [index, goal] of tasks.entries()) {
    const isCompleted = originalOf(goal, 'backlog')['completed'] === true;
    keep(goal, taskFile(goal, { ids, milestoneIds, ordinal: (index + 1) * 1000, settings }), (text) =>
      readBacklogRecord(text, final, isCompleted),
    );
  }
  if (goals.includes(root)) records.set('', config);
  return records;
}

/** Whether a file may go back under its name and with its text. */
function isCleanRecord({ file, text }: ToolRecord): boolean {
  if (typeof text !== 'string') return false;
  return file === 'config.yml' ? isCleanConfig(text) : isFileName(file) && isCleanText(text);
}

function isFileName(file: unknown): boolean {
  return typeof file === 'string' && /^[^\s.\\/:*?"<>|][^\\/:*?"<>|]{0,180}\.md$/.test(file);
}

function goalsOf(plan: Plan): readonly Goal[] {
  const root = rootOf(plan);
  const [, ...below] = Array.from(depthFirst(plan), ({ goal }) => goal);
  return below.length === 0 && Object.keys(originalOf(root, 'backlog')).length === 0 ? [root] : below;
}

function said(what: string, { length }: readonly Goal[]): readonly string[] {
  return length === 0 ? [] : [`${what} (${length} ${length === 1 ? 'goal' : 'goals'})`];
}

/** What a milestone of Backlog.md has no place for, and its export leaves out, in words. */
export function lostOfMilestones(plan: Plan): readonly string[] {
  const milestones = goalsOf(plan).filter(isMilestone);
  const ids = new Set(milestones.map(({ id }) => id));
  return [
    ...said(
      'criteria of milestones',
      milestones.filter((goal) => goalCriteria(goal).length > 0),
    ),
    ...said(
      'dependencies of and on milestones',
      goalsOf(plan).filter(
        ({ id, dependencies }) =>
          dependencies.some((on) => ids.has(on)) || (ids.has(id) && dependencies.length > 0),
      ),
    ),
    ...said(
      'tags of milestones',
      milestones.filter(({ tags = [] }) => tags.length > 0),
    ),
    ...said(
      'the place of milestones below other goals',
      milestones.filter(({ parent_id }) => parent_id !== rootOf(plan).id),
    ),
    ...said(
      'milestones that are done and have no tasks',
      milestones.filter(({ status, child_ids }) => status === 'complete' && child_ids.length === 0),
    ),
  ];
}

function isMilestone(goal: Goal): boolean {
  return originalText(originalOf(goal, 'backlog'), 'milestone_id') !== null;
}

/** Ids are parts of paths, and of names that a file system takes in either case. */
const TASK_ID = /^[A-Z]{1,20}-\d{1,9}(?:\.\d{1,9}){0,9}$/;
const MILESTONE_ID = /^[a-z0-9][a-z0-9_-]{0,59}$/i;

/** From here on an id below another would be too long for a name: the number is of the whole. */
const LONGEST_ABOVE = 60;

function had(goal: Goal): string | null {
  const id = originalText(originalOf(goal, 'backlog'), 'id')?.toUpperCase() ?? '';
  return TASK_ID.test(id) ? id : null;
}

function idsOf(tasks: readonly Goal[]): ReadonlyMap<string, string> {
  const named = originalNamer(tasks.flatMap((goal) => had(goal) ?? []));
  const counts = new Map<string, number>();
  const ids = new Map<string, string>();
  for (const goal of tasks) {
    const above = ids.get(goal.parent_id ?? '') ?? '';
    const prefix = above === '' || above.length > LONGEST_ABOVE ? 'TASK-' : `${above}.`;
    ids.set(
      goal.id,
      named(had(goal), () => {
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
        return `${prefix}${counts.get(prefix)}`;
      }),
    );
  }
  return ids;
}

function hadMilestone(goal: Goal): string | null {
  const id = originalText(originalOf(goal, 'backlog'), 'milestone_id') ?? '';
  return MILESTONE_ID.test(id) ? id : null;
}

function milestoneIdsOf(milestones: readonly Goal[]): ReadonlyMap<string, string> {
  const named = originalNamer(milestones.flatMap((goal) => hadMilestone(goal)?.toLowerCase() ?? []));
  let number = 0;
  return new Map(
    milestones.map((goal) => {
      const id = hadMilestone(goal);
      const free = named(id?.toLowerCase() ?? null, () => `m-${(number += 1)}`);
      return [goal.id, free === id?.toLowerCase() ? id : free];
    }),
  );
}

function configOf(root: Goal): string {
  const original = originalOf(root, 'backlog')['config'];
  const config = {
    default_status: 'To Do',
    statuses: ['To Do', 'In Progress', 'Done'],
    labels: [],
    date_format: 'yyyy-mm-dd',
    task_prefix: 'task',
    ...(typeof original === 'object' ? original : {}),
  };
  return stringify({
    project_name: printable(oneLine(root.description)),
    ...without(config, 'project_name'),
  });
}

function without(record: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !names.includes(key)));
}

function milestoneFile(goal: Goal, id: string): ToolRecord {
  const title = printable(oneLine(goal.description));
  const detail = printable(goal.detail ?? '');
  return {
    file: fileName(id, title),
    text: `---\n${stringify({ id, title })}---\n\n## Description\n\n${detail}\n`,
  };
}

/** The settings of the folder that a plan came from. */
function settingsOf(root: Goal): z.output<typeof settingsSchema> {
  return settingsSchema.safeParse(originalOf(root, 'backlog')['config']).data ?? {};
}

const settingsSchema = z.object({ statuses: z.array(z.string()).optional() });

/** A line as it was imported; nothing else makes lines of a file. */
const DONE_CRITERION = /^[ \t]*-[ \t]+\[[ xX]\](?:\t|[^\p{Cc}\p{Zl}\p{Zp}])+$/u;

interface Naming {
  readonly ids: ReadonlyMap<string, string>;
  readonly milestoneIds: ReadonlyMap<string, string>;
  readonly ordinal: number;
  readonly settings: ReturnType<typeof settingsOf>;
}

function taskFile(goal: Goal, { ids, milestoneIds, ordinal, settings }: Naming): ToolRecord {
  const original = originalOf(goal, 'backlog');
  const { completed: _folder, ...rest } = keptMembers(goal, 'backlog');
  const id = ids.get(goal.id) ?? '';
  const above = goal.parent_id === null ? undefined : ids.get(goal.parent_id);
  const part = (goal.links ?? []).find(({ type }) => type === PART_OF)?.to;
  const milestone =
    milestoneIds.get(goal.parent_id ?? '') ??
    (above === undefined ? null : originalText(original, 'milestone'));
  const title = printable(oneLine(goal.description));
  const gone = (goal.links ?? []).flatMap(({ type, to }) =>
    type === DEPENDS_ON ? printable(oneLine(to)) : [],
  );
  const parent = above ?? (part === undefined ? undefined : printable(oneLine(part)));
  const head = {
    id,
    title,
    status: statusOf(goal, settings.statuses ?? []),
    assignee: [],
    created_date: goal.created_at.slice(0, 16).replace('T', ' '),
    ...without(rest, ...NOT_HEAD),
    labels: (goal.tags ?? []).map(printable),
    ...(milestone === null ? {} : { milestone }),
    dependencies: [...goal.dependencies.flatMap((on) => ids.get(on) ?? []), ...gone],
    ...(parent === undefined ? {} : { parent_task_id: parent }),
    ...(goal.priority === undefined ? {} : { priority: PRIORITIES[goal.priority] ?? 'medium' }),
    ordinal: rest['ordinal'] ?? ordinal,
  };
  const body = bodyOf(
    goal,
    originalTexts(original, 'done_criteria').filter((line) => DONE_CRITERION.test(line)),
  );
  return { file: fileName(id.toLowerCase(), title), text: `---\n${stringify(head)}---\n\n${body}` };
}

const NOT_HEAD = [
  'id',
  'title',
  'status',
  'milestone',
  'milestone_id',
  'parent_task_id',
  'priority',
  'ticked',
  'done_criteria',
  'config',
];
const PRIORITIES = ['high', 'high', 'medium', 'low', 'low'];

/** The status of a goal by the words of the folder’s settings: the first, the one before the last, the last. */
function statusOf(goal: Goal, statuses: readonly string[]): string {
  const before = asWasOf(goal, 'backlog').as_was?.['text'];
  const had = typeof before === 'string' ? readBacklogText(before).members['status'] : undefined;
  const word = typeof had === 'string' ? had : null;
  const was = readStatus(word, finalStatuses(statuses));
  const isDone = isAsDerived(goal, 'backlog') ? goal.status !== 'complete' : goal.status === 'complete';
  const holds = goal.on_hold?.reason;
  // The word that it had stays where it says the same.
  if (word !== null && was.done === isDone && was.onHold === holds && (isDone || goal.claim === undefined))
    return word;
  if (isDone) return statuses.at(-1) ?? 'Done';
  if (goal.claim !== undefined) return statuses.length > 2 ? (statuses[1] ?? 'In Progress') : 'In Progress';
  const held = statuses.find((each) => each === holds);
  return held ?? statuses[0] ?? 'To Do';
}

/** The sections of a task: its text, what shows that it is done, and what came of it. */
function bodyOf(goal: Goal, doneCriteria: readonly string[]): string {
  const summary = goal.status === 'complete' ? goal.digest?.summary : undefined;
  const before = asWasOf(goal, 'backlog').as_was?.['text'];
  const others =
    typeof before === 'string' ? readBacklogText(before).sections.flatMap(({ name }) => name ?? []) : [];
  const known = SECTIONS.map(({ name }): string => name);
  const names = [...new Set([...known, ...others])];
  const parts = splitSections(
    goal.detail ?? '',
    names.filter((name) => !['Description', 'Acceptance Criteria'].includes(name)),
  );
  const ticked = new Set(originalTexts(originalOf(goal, 'backlog'), 'ticked'));
  const isNewlyDone = goal.status === 'complete' && goal.updated_at !== goal.created_at;
  const criteria = (goal.acceptance ?? []).map((text, index) =>
    criterionItem(`- [${isNewlyDone || ticked.has(text) ? 'x' : ' '}] #${index + 1} `, printable(text)),
  );
  const textOf = (name: string): string => {
    if (name === 'Acceptance Criteria') return criteria.join('\n');
    const said = printable(sectionText(parts, name === 'Description' ? null : name));
    if (name === 'Definition of Done')
      return [...doneCriteria, said].filter((text) => text !== '').join('\n');
    return name === 'Final Summary' && summary ? printable(summary) : said;
  };
  return names
    .flatMap((name) => {
      const text = textOf(name);
      if (text === '') return [];
      const mark = SECTIONS.find((section) => section.name === name)?.mark;
      const isList = mark === 'AC' || mark === 'DOD';
      return `## ${name}\n${isList ? '' : '\n'}${mark === undefined ? text : marked(mark, text)}\n`;
    })
    .join('\n');
}

/** What would be a mark, as it is or escaped already, as often as it may be. */
const LIKE_A_MARK = /(?:<|&((?:amp;)*)lt;)!--(?=\s*(?:SECTION|AC|DOD|COMMENTS))/gi;

/** A text between its marks, which nothing in it can end. */
function marked(mark: string, text: string): string {
  const escaped = text.replaceAll(LIKE_A_MARK, (_found, escapes?: string) =>
    escapes === undefined ? '&lt;!--' : `&amp;${escapes}lt;!--`,
  );
  return `<!-- ${mark}:BEGIN -->\n${escaped}\n<!-- ${mark}:END -->`;
}

const MOST_TITLE_BYTES = 120;

function fileName(id: string, title: string): string {
  const words = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '');
  let short = '';
  for (const character of Array.from(words).slice(0, 60)) {
    if (Buffer.byteLength(short + character) > MOST_TITLE_BYTES) break;
    short += character;
  }
  return `${id} - ${short || 'task'}.md`;
}
