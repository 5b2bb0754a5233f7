import * as z from 'zod';

import { readCriteria } from '../criteria.js';
import type { ToolRecord } from '../as-was.js';
import { inOwnWords, readStatus } from '../status-words.js';
import { readTold } from '../told.js';
import { accountForJson } from '../../../kernel/json/account-for-json.js';
import { distinctKeys } from './distinct-keys.js';
import { goalName } from './goal-name.js';
import { lineFinder } from './line-finder.js';
import type { FindLine } from './line-finder.js';
import type { OtherToolGoal } from './other-tool-goal.js';
import type { OtherToolPlan } from './other-tool-plan.js';
import { KNOWN_MEMBERS, taskMasterLists } from './task-master-file.js';
import type { TaskMasterList, TaskMasterSubtask, TaskMasterTask } from './task-master-file.js';

const PRIORITIES = new Map(Object.entries({ critical: 0, urgent: 0, high: 1, medium: 2, normal: 2, low: 3 }));

/**
 * Reads Task Master's `tasks.json`, of one list, of several tags, or of both; null when it is no such file.
 * @param file its name and its text, for the account of its lines
 */
export function taskMasterPlan(
  value: unknown,
  file = { name: 'tasks.json', text: '' },
): OtherToolPlan | null {
  const read = taskMasterLists(value);
  if (read === null) return null;
  const { lists, unread, strange } = read;
  const notes = unread.map(({ path, problem }) => `${file.name}: ${path} is left out: ${problem}`);
  const about = {
    tool: 'taskmaster' as const,
    notes,
    account: accountForJson(file, [...unread, ...strange]),
  };
  const find = lineFinder(file.name, file.text);
  const [only, ...others] = lists;
  if (only !== undefined && others.length === 0)
    return {
      ...about,
      title: textOf(only.metadata?.['description']) ?? 'Tasks',
      goals: goalsOf(only.tasks, '', null, find),
      rest: listRest(only),
    };
  const goals = lists.flatMap((list): readonly OtherToolGoal[] => {
    const key = `tag ${list.tag ?? ''}`;
    const top = {
      key,
      parent: null,
      description: list.tag ?? 'tasks',
      done: false,
      dependsOn: [],
      rest: listRest(list),
    };
    return [top, ...goalsOf(list.tasks, `${list.tag ?? ''} `, key, find)];
  });
  return { ...about, title: 'Tasks', goals };
}

function listRest({ tag, metadata, order }: TaskMasterList) {
  return { tag: tag ?? undefined, untagged: tag === null ? true : undefined, metadata, at: order };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function goalsOf(
  tasks: readonly TaskMasterTask[],
  prefix: string,
  parent: string | null,
  find: FindLine,
): readonly OtherToolGoal[] {
  const keyOf = distinctKeys();
  return tasks.flatMap((task) => {
    const key = keyOf(`${prefix}${task.id}`);
    const own = new Set((task.subtasks ?? []).map(({ id }) => String(id)));
    const repeats = key === `${prefix}${task.id}` ? undefined : String(task.id);
    const named = keyIn(prefix);
    const top = {
      ...goalOf(task, key, parent, (id) => `${prefix}${id}`),
      repeats,
      keyOf: named,
      place: find(nameOfTask(task)),
    };
    const bare = task.subtasks === undefined ? { rest: { ...top.rest, bare: true } } : {};
    const parts = (task.subtasks ?? []).map((subtask) => {
      const { part_of, after = [] } = ownOf(subtask);
      // A number among subtasks means a sibling; a name such as 5.2 a subtask of another task.
      const keyFor = (id: string) => (own.has(id) ? `${key}.${id}` : `${prefix}${id}`);
      const above = part_of === undefined ? key : `${prefix}${part_of}`;
      const goal = goalOf(subtask, `${key}.${subtask.id}`, above, keyFor);
      const dependsOn = [...goal.dependsOn, ...after.map((id) => `${prefix}${id}`)];
      return { ...goal, dependsOn, keyOf: named, place: find(nameOfTask(subtask)) };
    });
    return [{ ...top, ...bare }, ...parts];
  });
}

/** Returns what finds the key of a task that a decision names, in the same list or, with its tag, in another. */
function keyIn(prefix: string): (name: string) => string {
  return (name) => (name.includes(' ') ? name : `${prefix}${name}`);
}

/** What a subtask has no place for, as it is exported from here: what it is a part of, and the tasks it waits for. */
function ownOf({ x_frctl: own }: TaskMasterSubtask): z.output<typeof ownSchema> {
  return ownSchema.safeParse(own).data ?? {};
}

const ownSchema = z.object({ part_of: z.string().optional(), after: z.array(z.string()).optional() });

function goalOf(
  task: TaskMasterSubtask,
  key: string,
  parent: string | null,
  named: (id: string) => string,
): OtherToolGoal {
  const { subtasks: _own, ...original } = task;
  const rest = Object.fromEntries(
    Object.entries(task).filter(([name]) => !KNOWN_MEMBERS.has(name) && name !== 'x_frctl'),
  );
  return {
    ...readTask(task),
    key,
    parent,
    dependsOn: (task.dependencies ?? []).map((id) => named(String(id))),
    rest: { ...rest, id: String(task.id) },
    original,
  };
}

/** Returns what a task is called; one without a title by what it says. */
export function nameOfTask({ title, description, id }: ToolRecord): string {
  return goalName(title, description, `Task ${String(id)}`);
}

/** What a task of Task Master says here, but for its place among others. */
export function readTask(task: ToolRecord) {
  const { description, testStrategy, priority, status } = task;
  const { text: details, told } = readTold(textOf(task['details']) ?? '');
  const word = typeof status === 'string' ? status : undefined;
  const standing = inOwnWords(readStatus(word), task['x_frctl']);
  const urgency = typeof priority === 'string' ? PRIORITIES.get(priority.trim().toLowerCase()) : undefined;
  return {
    description: nameOfTask(task),
    // A description that is the title again says no more.
    detail: [description === nameOfTask(task) ? null : description, details]
      .flatMap((text) => textOf(text) ?? [])
      .join('\n\n'),
    acceptance: readCriteria(textOf(testStrategy) ?? '').map(({ text }) => text),
    ...told,
    ...standing,
    ...(word === undefined ? {} : { status: word }),
    ...(urgency === undefined ? {} : { priority: urgency }),
    result: /^cancell?ed$/i.test(word ?? '') ? 'Cancelled.' : undefined,
  };
}
