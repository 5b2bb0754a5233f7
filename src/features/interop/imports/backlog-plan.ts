import * as z from 'zod';

import type { ToolRecord } from '../as-was.js';
import { isCriteria, readBacklogText, TOLD_IN } from '../backlog-file.js';
import { readTold } from '../told.js';
import type { BacklogText } from '../backlog-file.js';
import { accountFor } from '../../../kernel/text/line-account.js';
import type { ReadFile } from '../../../kernel/text/line-account.js';
import {
  asTitle,
  cleanConfig,
  cleanText,
  finalStatuses,
  isData,
  isMilestoneData,
  keyOf,
  linesOf,
  milestoneSchema,
  milestoneTexts,
  PLACED,
  readTask,
  strangeSettings,
  yamlOrNull,
} from './backlog-record.js';
import type { OtherToolGoal } from './other-tool-goal.js';
import type { OtherToolPlan } from './other-tool-plan.js';

const configSchema = z.looseObject({
  project_name: z.string().min(1).optional(),
  statuses: z.array(z.string()).optional().catch(undefined),
});

interface BacklogFile {
  readonly name: string;
  readonly text: string;
  /** Why it cannot be read, where it cannot. */
  readonly problem?: string;
}

/** The files of a Backlog.md folder. */
export interface BacklogFolder {
  readonly tasks: readonly BacklogFile[];
  /** What was done and put aside. */
  readonly completed?: readonly BacklogFile[];
  readonly milestones?: readonly BacklogFile[];
  /** What has no meaning here: drafts, decisions, what was archived. */
  readonly others?: readonly BacklogFile[];
  /** `config.yml`, if it is there. */
  readonly config?: string | null;
}

/** Reads the task files of a Backlog.md folder; null when none of them is a task. Milestones are parents. */
export function backlogPlan({
  tasks,
  completed = [],
  milestones = [],
  others = [],
  config = null,
}: BacklogFolder): OtherToolPlan | null {
  const notes: string[] = [];
  const files: ReadFile[] = [];
  const settings = configSchema.safeParse(config === null ? null : yamlOrNull(config)).data;
  const final = finalStatuses(settings?.statuses);
  const read = (all: readonly BacklogFile[], folder: string, more: Readonly<Record<string, unknown>>) =>
    all.flatMap((file) => {
      if (file.problem !== undefined) {
        files.push(leftOut({ ...file, name: `${folder}/${file.name}` }));
        return [];
      }
      const parts = readBacklogText(file.text);
      const goal = goalOf(file, parts, { more, final });
      files.push(accountOf({ ...file, name: `${folder}/${file.name}` }, parts, goal));
      if (parts.problem !== null)
        notes.push(`${file.name}: its front matter is not YAML (${parts.problem}); it was read line by line`);
      if (goal === null)
        notes.push(`${file.name} is left out: neither its front matter nor its name has the id of a task`);
      return goal ?? [];
    });
  const goals = [...read(tasks, 'tasks', {}), ...read(completed, 'completed', { completed: true })].toSorted(
    (one, other) => ordinalOf(one) - ordinalOf(other),
  );
  if (goals.length === 0) return null;
  const all = withMilestones(goals, milestones, files, notes);
  for (const file of others) files.push(leftOut(file));
  if (config !== null)
    files.push({ file: 'config.yml', text: config, leftOut: linesOf(config, 1, strangeSettings(config)) });
  return {
    tool: 'backlog',
    title: settings?.project_name ?? 'Backlog',
    goals: all,
    notes,
    account: accountFor(files),
    ...(config === null ? {} : { original: { file: 'config.yml', ...cleanConfig(config) } }),
    ...(settings === undefined ? {} : { rest: { config: settings } }),
  };
}

/** A file of which no line is in a goal. */
function leftOut({ name, text }: BacklogFile): ReadFile {
  return { file: name, text, leftOut: text.split('\n').map((_line, index) => index + 1) };
}

/** What of a file is kept as text, and what is left out. */
function accountOf(
  { name, text }: BacklogFile,
  { sections, head, members }: BacklogText,
  goal: OtherToolGoal | null,
): ReadFile {
  if (goal === null) return leftOut({ name, text });
  const detail = sections
    .filter((section) => !isCriteria(section.name))
    .flatMap(({ name: section, raw, line }) => {
      const isToldIn = section === TOLD_IN || goal.rest?.['milestone_id'] !== undefined;
      const told = isToldIn ? readTold(raw).lines : new Set();
      return raw
        .split('\n')
        .flatMap((each, index) =>
          told.has(index) || each.trim() === '' || /^(?:## |<!-- \S+:(?:BEGIN|END) -->)/.test(each)
            ? []
            : [line + index],
        );
    });
  const strange = Object.entries(members).flatMap(([member, value]) =>
    isData(member, value) ? [] : [member],
  );
  const kept = goal.acceptance ?? [];
  const headings = sections.flatMap(({ name: section, raw, line }) =>
    // A heading among criteria is none, unless it stands in one.
    isCriteria(section) && goal.rest?.['milestone_id'] === undefined
      ? raw.split('\n').flatMap((each, index) => {
          const isHeading = /^ {0,3}(?:#|#{3,6})(?:[ \t]|$)/.test(each);
          return isHeading && !kept.some((text) => text.includes(each.trim())) ? [line + index] : [];
        })
      : [],
  );
  const ofHead = head === null ? [] : linesOf(head, 2, strange);
  return { file: name, text, detail, leftOut: [...ofHead, ...headings] };
}

/** The key of what a decision names: a task or, called so, a milestone. */
const decider = (name: string): string => (name.startsWith('milestone ') ? name : keyOf(name));

/** The milestones that tasks are in and those that have a file, and the tasks, each in its milestone. */
function withMilestones(
  goals: readonly OtherToolGoal[],
  files: readonly BacklogFile[],
  accounts: ReadFile[],
  notes: string[],
): readonly OtherToolGoal[] {
  const found = new Map<string, OtherToolGoal>();
  const add = (id: string, title: string, said: Partial<OtherToolGoal>, original?: ToolRecord) =>
    found.set(id, {
      key: `milestone ${id}`,
      parent: null,
      description: title,
      ...said,
      keyOf: decider,
      done: false,
      dependsOn: [],
      rest: { milestone_id: id },
      ...(original === undefined ? {} : { original }),
    });
  for (const { name, text, problem } of files) {
    const parts = readBacklogText(text);
    const parsed = milestoneSchema.safeParse(parts.members).data;
    const file = { name: `milestones/${name}`, text };
    if (parsed === undefined) notes.push(`${name} is left out: it has no id and title of a milestone`);
    else if (problem === undefined)
      add(parsed.id, parsed.title, milestoneTexts(parts), {
        file: name,
        ...cleanText(text, isMilestoneData),
      });
    accounts.push(accountOf(file, parts, parsed === undefined ? null : (found.get(parsed.id) ?? null)));
  }
  const titled = new Map([...found].map(([id, { description }]) => [asTitle(description), id]));
  const placed = goals.map((goal) => {
    const named =
      goal.parent?.startsWith('milestone ') === true ? goal.parent.slice('milestone '.length) : null;
    if (named === null || found.has(named)) return goal;
    // A task may name a milestone by its title.
    const id = titled.get(asTitle(named));
    if (id !== undefined) return { ...goal, parent: `milestone ${id}` };
    add(named, named, {});
    return goal;
  });
  return [...found.values(), ...placed];
}

function ordinalOf({ rest }: OtherToolGoal): number {
  const ordinal = Number(rest?.['ordinal'] ?? Number.NaN);
  return Number.isFinite(ordinal) ? ordinal : Number.MAX_VALUE;
}

interface Reading {
  readonly more: Readonly<Record<string, unknown>>;
  /** The statuses that say that nothing is left to do. */
  readonly final: readonly string[];
}

function goalOf(
  { name, text }: BacklogFile,
  parts: BacklogText,
  { more, final }: Reading,
): OtherToolGoal | null {
  const said = readTask(parts, name, final, more['completed'] === true);
  if (said === null) return null;
  const { head, body, ...goal } = said;
  const { id, status, milestone, parent_task_id } = head;
  return {
    ...goal,
    key: keyOf(id),
    parent: parent_task_id ? keyOf(parent_task_id) : milestone ? `milestone ${milestone}` : null,
    dependsOn: head.dependencies.map(keyOf),
    keyOf: decider,
    rest: {
      ...Object.fromEntries(Object.entries(head).filter(([member]) => !PLACED.has(member))),
      ...more,
      id,
      milestone,
      ticked: body.criteria.filter(({ ticked }) => ticked).map((each) => each.text),
      done_criteria: body.doneCriteria.map(({ text }) => text),
      done_ticked: body.doneCriteria.flatMap(({ text, ticked }) => (ticked ? text : [])),
    },
    original: { file: name, ...cleanText(text, isData) },
    place: { file: name, line: 1 },
    ...(status == null ? {} : { status }),
  };
}
