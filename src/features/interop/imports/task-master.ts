import { PlanError } from '../../../kernel/errors.js';
import { parseOrNull } from '../../../kernel/json/parse-or-null.js';
import type { LineAccount } from '../../../kernel/text/line-account.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import { findCycle } from '../../../plan/readiness/dependencies.js';
import type { DocumentItem, DocumentOutline } from '../../../planning/documents/document-item.js';
import { accountForJson } from '../../../kernel/json/account-for-json.js';
import { isDropped } from '../status-words.js';
import { isBegun } from './dropped-parts.js';
import { lineFinder } from './line-finder.js';
import { KNOWN_MEMBERS, taskMasterLists } from './task-master-file.js';
import type { TaskMasterList, TaskMasterTask } from './task-master-file.js';
import { nameOfTask, readTask } from './task-master-plan.js';

type Task = TaskMasterTask;

/** What is read of a file, and the places of what is kept as text alone. */
interface Reading {
  readonly find: (title: string) => DocumentItem['source'];
  readonly detail: { readonly at: readonly PropertyKey[] }[];
}

/**
 * Reads Task Master's `tasks.json`: tasks with their subtasks, dependencies, priorities, what is on hold and what is done. What
 * has no place in a goal is a line of its detail. Lists of several tags are parts of their own.
 * @param file its name, for the sources of goals
 * @returns null when it is no such file
 * @throws PlanError INVALID_INPUT for tasks that wait for each other
 */
export function readTaskMaster(
  text: string,
  file: string,
): { readonly outline: DocumentOutline; readonly account: LineAccount } | null {
  const read = readLists(text);
  const [only, ...others] = read?.lists ?? [];
  if (read === null || only === undefined) return null;
  const source = { file, start_line: 1, end_line: text.split('\n').length };
  const found = lineFinder(file, text);
  const find = (title: string) => {
    const { line } = found(title);
    return { file, start_line: line, end_line: line };
  };
  const reading: Reading = { find, detail: [] };
  const partOf = (list: TaskMasterList) => {
    const keys = list.tag === null ? [] : [list.tag];
    const said = keptAsText(list.metadata === undefined ? {} : { metadata: list.metadata }, keys, reading);
    return { ...detailOf(said), children: itemsOf(list.tasks, [...keys, 'tasks'], '', reading) };
  };
  const { children: items, ...about } =
    others.length === 0 ? partOf(only) : { children: read.lists.map(headed) };
  function headed(list: TaskMasterList): DocumentItem {
    const description = list.tag ?? 'tasks';
    return { kind: 'heading', description, source, complete: false, afterPrevious: false, ...partOf(list) };
  }
  const account = accountForJson({ name: file, text }, read.unread, reading.detail);
  return { outline: { title: null, source, ...about, items }, account };
}

/** Its lists, of several those that hold a task. */
function readLists(text: string): ReturnType<typeof taskMasterLists> {
  if (!text.trimStart().startsWith('{')) return null;
  const read = taskMasterLists(parseOrNull(text));
  if (read === null || read.lists.length === 1) return read;
  return { ...read, lists: read.lists.filter(({ tasks }) => tasks.length > 0) };
}

function itemsOf(
  tasks: readonly Task[],
  keys: readonly PropertyKey[],
  above: string,
  reading: Reading,
): readonly DocumentItem[] {
  const ids = tasks.map(({ id }) => nameOf(id, above));
  const places = new Map(ids.map((id, index) => [id, index] as const).toReversed());
  const needed = tasks.map(({ dependencies }) =>
    (dependencies ?? []).flatMap((id) => places.get(nameOf(id, above)) ?? []),
  );
  const cycle = findCycle(
    ids.map((_id, index) => String(index)),
    (index) => (needed[Number(index)] ?? []).map(String),
  );
  if (cycle !== null)
    throw new PlanError(
      'INVALID_INPUT',
      `tasks wait for each other: ${cycle.map((index) => ids[Number(index)]).join(', ')}`,
      { hint: ['Remove one of these dependencies from the file.'] },
    );
  return tasks.map((task, index) => {
    const elsewhere = (task.dependencies ?? []).filter((id) => !places.has(nameOf(id, above)));
    const after = [...new Set(needed[index] ?? [])];
    return itemOf(task, { id: ids[index] ?? '', keys: [...keys, index], after, elsewhere }, reading);
  });
}

interface Place {
  readonly id: string;
  readonly keys: readonly PropertyKey[];
  readonly after: readonly number[];
  /** What it waits for that is no sibling of it. */
  readonly elsewhere: readonly (string | number)[];
}

function itemOf(task: Task, { id, keys, after, elsewhere }: Place, reading: Reading): DocumentItem {
  const { description, detail, acceptance, done, onHold: held, priority, status } = readTask(task);
  const source = reading.find(nameOfTask(task));
  const children = itemsOf(task.subtasks ?? [], [...keys, 'subtasks'], id, reading);
  const open = children.filter(({ complete }) => !complete).length;
  const isBegunBelow = task.subtasks?.some(({ status: word }) => isBegun(word ?? undefined)) === true;
  const isDroppedWhole = done && open > 0 && isDropped(status) && !isBegunBelow;
  // Open parts of what is cancelled are on hold with it, unless somebody is at one of them.
  const onHold = isDroppedWhole ? status : held;
  const unplaced = {
    ...Object.fromEntries(Object.entries(task).filter(([name]) => !KNOWN_MEMBERS.has(name))),
    ...(elsewhere.length === 0 ? {} : { dependencies: elsewhere }),
    ...(priority === undefined && task.priority != null ? { priority: task.priority } : {}),
    ...(done || onHold !== undefined || /^(?:pending|to-?do)?$/i.test(status ?? '') ? {} : { status }),
  };
  const said = [
    ...(detail === '' ? [] : [detail]),
    ...keptAsText(unplaced, keys, reading),
    ...(done && open > 0 ? [`Marked ${status}, but ${open} of ${children.length} parts are open.`] : []),
  ];
  return {
    kind: 'item',
    description: oneLine(description),
    source,
    complete: done && open === 0,
    afterPrevious: false,
    after,
    isTask: true,
    children,
    tags: [`task-${id}`],
    ...detailOf(said),
    ...(acceptance.length === 0 ? {} : { acceptance: acceptance.map(oneLine) }),
    ...(priority === undefined ? {} : { priority }),
    ...(onHold === undefined ? {} : { onHold }),
  };
}

/** Members that have no place in a goal, a line each; their lines in the file are kept as text. */
function keptAsText(
  members: Readonly<Record<string, unknown>>,
  keys: readonly PropertyKey[],
  { detail }: Reading,
): readonly string[] {
  return Object.entries(members).map(([name, value]) => {
    detail.push({ at: [...keys, name] });
    return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
}

function detailOf(said: readonly string[]): { readonly detail?: string } {
  return said.length === 0 ? {} : { detail: said.join('\n\n') };
}

/** A subtask is named within its task: `3` of task 2 is `2.3`. */
function nameOf(id: string | number, above: string): string {
  const name = String(id);
  return above === '' || name.startsWith(`${above}.`) ? name : `${above}.${name}`;
}
