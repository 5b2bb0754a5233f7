import { stringify } from 'yaml';
import * as z from 'zod';

import { oneLine, printable } from '../../../kernel/text/safe-text.js';
import { rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import { depthFirst } from '../../../plan/tree.js';
import type { ExportedFile } from '../../../exports/exported-file.js';
import type { Meaning, ToolRecord } from '../as-was.js';
import {
  asTitle,
  finalStatuses,
  isCleanConfig,
  isCleanText,
  readBacklogRecord,
  readMilestoneRecord,
} from '../imports/backlog-record.js';
import { detailWithResult } from '../result-section.js';
import { tellerOf, withTold } from '../told.js';
import type { Told } from '../told.js';
import { criteriaOf, fileName, taskFile } from './backlog-task.js';
import { isSameConfig, patchedText } from './backlog-text.js';
import {
  asWasOf,
  isAsDerived,
  meaningOf,
  originalOf,
  originalText,
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
          : isPutAside(goal)
            ? 'backlog/completed'
            : 'backlog/tasks';
    const path = `${folder}/${freeName(folder, String(file), taken)}`;
    return { path, text: String(text) };
  });
}

/** Whether a task was put aside as done, and is still. */
function isPutAside(goal: Goal): boolean {
  const isDone = isAsDerived(goal, 'backlog') !== (goal.status === 'complete');
  return isDone && originalOf(goal, 'backlog')['completed'] === true;
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
  const statuses = statusesOf(root);
  const final = finalStatuses(statuses);
  const toldOf = tellerOf(plan, [...tasks, ...milestones], (id) => {
    const milestone = milestoneIds.get(id);
    return milestone === undefined ? ids.get(id) : `milestone ${milestone}`;
  });
  const config = { file: 'config.yml', text: configOf(root) };
  const records = new Map<string, ToolRecord>();
  const keep = (
    goal: Goal,
    written: ToolRecord,
    [is, read]: readonly [Meaning, Parameters<typeof patchedText>[3]],
  ) => {
    const { as_was = {} } = asWasOf(goal, 'backlog');
    const text = as_was['text'];
    const patched =
      typeof text === 'string' ? { text: patchedText(text, String(written['text']), is, read) } : {};
    const isFile = isFileName(as_was['file']);
    const file = isFile ? { file: as_was['file'] } : {};
    records.set(goal.id, { ...written, ...patched, ...file });
  };
  const configWas = asWasOf(root, 'backlog').as_was?.['text'];
  const isConfig = typeof configWas === 'string' && isSameConfig(configWas, config.text);
  if (!goals.includes(root)) records.set(root.id, isConfig ? { ...config, text: configWas } : config);
  for (const goal of milestones)
    keep(goal, milestoneFile(goal, milestoneIds.get(goal.id) ?? '', toldOf(goal)), [
      meaningOf(goal),
      readMilestoneRecord,
    ]);
  const ordinals = ordinalsOf(tasks);
  const titled = new Map(
    milestones.map(({ id, description }) => [asTitle(description), milestoneIds.get(id)] as const),
  );
  const known = new Set(milestoneIds.values());
  const milestoneNamed = (word: string) => (known.has(word) ? word : titled.get(asTitle(word)));
  for (const goal of tasks) {
    const ordinal = ordinals.get(goal.id) ?? 0;
    const naming = { ids, milestoneIds, milestoneNamed, ordinal, statuses, told: toldOf(goal) };
    const { criteria, ofDone } = criteriaOf(goal);
    const is = { ...meaningOf(goal), acceptance: [...criteria, ...ofDone], detail: detailWithResult(goal) };
    keep(goal, taskFile(goal, naming), [is, (text) => readBacklogRecord(text, final, isPutAside(goal))]);
  }
  if (goals.includes(root)) records.set('', config);
  return records;
}

/** The number by which each task is ordered: what it had, unless its siblings have been put into another order since. */
function ordinalsOf(tasks: readonly Goal[]): ReadonlyMap<string, number> {
  const last = new Map<string | null, number>();
  const moved = new Set<string | null>();
  const kept = tasks.map((goal) => {
    const had = originalOf(goal, 'backlog')['ordinal'];
    if (typeof had !== 'number') return null;
    if (had < (last.get(goal.parent_id) ?? had)) moved.add(goal.parent_id);
    last.set(goal.parent_id, had);
    return had;
  });
  return new Map(
    tasks.map(({ id, parent_id }, index) => {
      const fresh = (index + 1) * 1000;
      return [id, moved.has(parent_id) ? fresh : (kept[index] ?? fresh)];
    }),
  );
}

/** Whether a file may go back under its name and with its text. */
function isCleanRecord({ file, text }: ToolRecord): boolean {
  if (typeof text !== 'string') return false;
  return file === 'config.yml' ? isCleanConfig(text) : isFileName(file) && isCleanText(text);
}

/** As many bytes as a file system takes in a name. */
const LONGEST_NAME = 255;

function isFileName(file: unknown): boolean {
  const isName = typeof file === 'string' && /^[^\s.\\/:*?"<>|][^\\/:*?"<>|]{0,250}\.md$/.test(file);
  return isName && Buffer.byteLength(file) <= LONGEST_NAME;
}

function goalsOf(plan: Plan): readonly Goal[] {
  const root = rootOf(plan);
  const [, ...below] = Array.from(depthFirst(plan), ({ goal }) => goal);
  return below.length === 0 && Object.keys(originalOf(root, 'backlog')).length === 0 ? [root] : below;
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
  const { project_name: _name, ...rest }: ToolRecord = config;
  return stringify({
    project_name: printable(oneLine(root.description)),
    ...rest,
  });
}

function milestoneFile(goal: Goal, id: string, told: Told): ToolRecord {
  const title = printable(oneLine(goal.description));
  const detail = withTold(printable(goal.detail ?? ''), told);
  return {
    file: fileName(id, title),
    text: `---\n${stringify({ id, title })}---\n\n## Description\n\n${detail}\n`,
  };
}

/** The statuses of the folder that a plan came from. */
function statusesOf(root: Goal): readonly string[] {
  return settingsSchema.safeParse(originalOf(root, 'backlog')['config']).data?.statuses ?? [];
}

const settingsSchema = z.object({ statuses: z.array(z.string()).optional() });
