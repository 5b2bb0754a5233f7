import * as z from 'zod';

import { joinSections } from '../../../kernel/text/sections.js';
import { readYaml } from '../../../kernel/yaml.js';
import type { OtherToolGoal } from './other-tool-goal.js';
import type { OtherToolPlan } from './other-tool-plan.js';

const texts = z
  .union([z.array(z.coerce.string()), z.string().transform((one) => [one])])
  .nullish()
  .transform((all) => all ?? []);
const headSchema = z.looseObject({
  id: z.coerce.string().min(1),
  title: z.coerce.string().min(1),
  status: z.string().nullish(),
  labels: texts,
  dependencies: texts,
  priority: z.string().nullish(),
  milestone: z.string().nullish(),
  parent_task_id: z.coerce.string().nullish(),
});
const milestoneSchema = z.looseObject({ id: z.coerce.string().min(1), title: z.coerce.string().min(1) });
const configSchema = z.looseObject({ project_name: z.string().min(1).optional() });

const PLACED = new Set(Object.keys(headSchema.shape));

interface BacklogFile {
  readonly name: string;
  readonly text: string;
}

/** The files of a Backlog.md folder. */
export interface BacklogFolder {
  readonly tasks: readonly BacklogFile[];
  /** What was done and put aside. */
  readonly completed?: readonly BacklogFile[];
  readonly milestones?: readonly BacklogFile[];
  /** `config.yml`, if it is there. */
  readonly config?: string | null;
}

/** Reads the task files of a Backlog.md folder; null when none of them is a task. Milestones are parents. */
export function backlogPlan({
  tasks,
  completed = [],
  milestones = [],
  config = null,
}: BacklogFolder): OtherToolPlan | null {
  const notes: string[] = [];
  const read = (files: readonly BacklogFile[], more: Readonly<Record<string, unknown>>) =>
    files.flatMap(({ name, text }) => {
      const goal = goalOf(text, more);
      if (goal === null) notes.push(`${name} is left out: it has no id and title of a task`);
      return goal ?? [];
    });
  const goals = [...read(tasks, {}), ...read(completed, { completed: true })].toSorted(
    (one, other) => ordinalOf(one) - ordinalOf(other),
  );
  if (goals.length === 0) return null;
  const settings = configSchema.safeParse(config === null ? null : yamlOrNull(config)).data;
  return {
    tool: 'backlog',
    title: settings?.project_name ?? 'Backlog',
    goals: [...milestonesOf(goals, milestones), ...goals],
    notes,
    ...(settings === undefined ? {} : { rest: { config: settings } }),
  };
}

/** What milestones tasks are in, and those that have a file. */
function milestonesOf(
  goals: readonly OtherToolGoal[],
  files: readonly BacklogFile[],
): readonly OtherToolGoal[] {
  const found = new Map<string, OtherToolGoal>();
  const add = (id: string, title: string, detail: string) =>
    found.set(id, {
      key: `milestone ${id}`,
      parent: null,
      description: title,
      detail,
      done: false,
      dependsOn: [],
      rest: { milestone_id: id },
    });
  for (const { text } of files) {
    const { head, body } = partsOf(text);
    const parsed = milestoneSchema.safeParse(head);
    if (parsed.success) add(parsed.data.id, parsed.data.title, aboutMilestone(body));
  }
  for (const { parent } of goals) {
    const id = parent?.startsWith('milestone ') === true ? parent.slice('milestone '.length) : null;
    if (id !== null && !found.has(id)) add(id, id, '');
  }
  return [...found.values()];
}

/** All below the heading: a milestone has no other section. */
function aboutMilestone(body: string): string {
  return (/(?:^|\n)## Description[^\n]*\n([^]*)$/.exec(body)?.[1] ?? '').trim();
}

function ordinalOf({ rest }: OtherToolGoal): number {
  const ordinal = Number(rest?.['ordinal'] ?? Number.NaN);
  return Number.isFinite(ordinal) ? ordinal : Number.MAX_VALUE;
}

function goalOf(text: string, more: Readonly<Record<string, unknown>>): OtherToolGoal | null {
  const { head, body } = partsOf(text);
  const parsed = headSchema.safeParse(head);
  if (!parsed.success) return null;
  const { id, title, status, labels, dependencies, priority, milestone, parent_task_id } = parsed.data;
  const criteria = sectionOf(body, 'Acceptance Criteria', 'AC');
  const done = status?.toLowerCase() === 'done' || more['completed'] === true;
  const summary = sectionOf(body, 'Final Summary', 'SECTION:FINAL_SUMMARY');
  return {
    key: keyOf(id),
    parent: parent_task_id ? keyOf(parent_task_id) : milestone ? `milestone ${milestone}` : null,
    description: title,
    detail: detailOf(body, done ? '' : summary),
    acceptance: linesOf(criteria, /^\s*-\s+\[[ xX]\]\s+(?:#\d+\s+)?(\S.*)$/),
    tags: [...labels, ...(priority ? [`priority:${priority}`] : [])],
    done,
    result: summary,
    dependsOn: dependencies.map(keyOf),
    rest: {
      ...Object.fromEntries(Object.entries(parsed.data).filter(([name]) => !PLACED.has(name))),
      ...more,
      id,
      status,
      milestone,
      ticked: linesOf(criteria, /^\s*-\s+\[[xX]\]\s+(?:#\d+\s+)?(\S.*)$/),
      done_criteria: linesOf(sectionOf(body, 'Definition of Done', 'DOD'), /^(\s*-\s+\[[ xX]\]\s+\S.*)$/),
    },
  };
}

/** Every part of a task that is text, each under its heading but the description. */
function detailOf(body: string, summary: string): string {
  return joinSections([
    { name: null, text: sectionOf(body, 'Description', 'SECTION:DESCRIPTION') },
    {
      name: 'Implementation Plan',
      text: sectionOf(body, 'Implementation Plan', 'SECTION:PLAN'),
    },
    {
      name: 'Implementation Notes',
      text: sectionOf(body, 'Implementation Notes', 'SECTION:NOTES'),
    },
    { name: 'Comments', text: sectionOf(body, 'Comments', 'COMMENTS') },
    { name: 'Final Summary', text: summary },
  ]);
}

function linesOf(text: string, pattern: RegExp): readonly string[] {
  return text.split('\n').flatMap((line) => pattern.exec(line)?.[1]?.trimEnd() ?? []);
}

/** Ids are written in either case. */
function keyOf(id: string): string {
  return id.toLowerCase();
}

function partsOf(text: string): { readonly head: unknown; readonly body: string } {
  const [, head, body = ''] = /^---\r?\n([^]*?)\r?\n---\r?\n?([^]*)$/.exec(text) ?? [];
  return { head: head === undefined ? null : yamlOrNull(head), body: body.replaceAll('\r\n', '\n') };
}

/** What stands between the marks of a section; where it has none of its own, what stands under its heading outside others' marks. */
function sectionOf(body: string, name: string, mark: string): string {
  const [, rest] = body.split(`<!-- ${mark}:BEGIN -->`);
  if (rest !== undefined) {
    return unescaped(rest.split(`<!-- ${mark}:END -->`)[0] ?? '').trim();
  }
  const found =
    new RegExp(`(?:^|\\n)## ${name}[^\\n]*\\n([^]*?)(?=(?<=\\n)## |$)`).exec(withoutMarked(body))?.[1] ?? '';
  return found.replaceAll(/^<!--.*-->\s*$/gm, '').trim();
}

/** A text without what stands between marks, in which a heading is no heading. */
function withoutMarked(body: string): string {
  const marks = [...body.matchAll(/^<!-- (SECTION:[A-Z_]+|AC|DOD|COMMENTS):(BEGIN|END) -->$/gm)];
  const nextEnd = new Map<string, number>();
  const marked: { readonly start: number; readonly end: number }[] = [];
  for (const { 0: mark, 1: name = '', 2: side, index } of marks.toReversed()) {
    const end = nextEnd.get(name);
    if (side === 'END') nextEnd.set(name, index + mark.length);
    else if (end !== undefined) marked.push({ start: index, end });
  }
  const left: string[] = [];
  let from = 0;
  for (const { start, end } of marked.toReversed()) {
    if (start < from) continue;
    left.push(body.slice(from, start));
    from = end;
  }
  return left.join('') + body.slice(from);
}

/** Undoes what keeps a mark within a text from ending it. */
function unescaped(text: string): string {
  return text.replaceAll(/&(?:amp;)*lt;!--(?=\s*(?:SECTION|AC|DOD|COMMENTS))/gi, (found) =>
    found.startsWith('&amp;') ? `&${found.slice('&amp;'.length)}` : '<!--',
  );
}

function yamlOrNull(text: string): unknown {
  const read = readYaml(text, 0);
  return 'problem' in read ? null : read.value;
}
