import { PlanError } from '../../../kernel/errors.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import { findCycle } from '../../../plan/readiness/dependencies.js';
import { readCriteria } from '../criteria.js';
import { lineFinder } from './line-finder.js';
import { isFinished, taskMasterLists } from './task-master-file.js';
import type { TaskMasterList, TaskMasterTask } from './task-master-file.js';
import type { DocumentItem, DocumentOutline } from '../../../planning/documents/document-item.js';

type Task = TaskMasterTask;

/**
 * Reads Task Master's `tasks.json`: tasks with their subtasks, dependencies, priorities and what is done. Lists of
 * several tags are parts of their own.
 * @param file its name, for the sources of goals
 * @returns null when it is no such file
 * @throws PlanError INVALID_INPUT for tasks that wait for each other
 */
export function readTaskMaster(text: string, file: string): DocumentOutline | null {
  const lists = listsOf(text);
  if (lists === null) return null;
  const lines = text.split('\n');
  const source = { file, start_line: 1, end_line: lines.length };
  const [only, ...others] = lists;
  if (only === undefined) return null;
  const found = lineFinder(file, text);
  const locate: Find = (title) => {
    const { line } = found(title);
    return { file, start_line: line, end_line: line };
  };
  if (others.length === 0) return { title: null, source, items: itemsOf(only.tasks, locate, '') };
  const items = lists.map(({ tag, tasks }) => ({
    kind: 'heading' as const,
    description: tag ?? 'tasks',
    source,
    complete: false,
    afterPrevious: false,
    children: itemsOf(tasks, locate, ''),
  }));
  return { title: null, source, items };
}

/** Its lists, of several those that hold a task. */
function listsOf(text: string): readonly TaskMasterList[] | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    const lists = taskMasterLists(JSON.parse(text))?.lists ?? null;
    return lists !== null && lists.length > 1 ? lists.filter(({ tasks }) => tasks.length > 0) : lists;
  } catch {
    return null;
  }
}

type Find = (title: string) => DocumentItem['source'];

function itemsOf(tasks: readonly Task[], locate: Find, above: string): readonly DocumentItem[] {
  const ids = tasks.map(({ id }) => nameOf(id, above));
  const needed = tasks.map(({ dependencies }) =>
    (dependencies ?? []).map((id) => ids.indexOf(nameOf(id, above))).filter((at) => at >= 0),
  );
  const cycle = findCycle(
    ids.map((_id, index) => String(index)),
    (index) => (needed[Number(index)] ?? []).map(String),
  );
  if (cycle !== null)
    throw new PlanError(
      'INVALID_INPUT',
      `tasks wait for each other: ${cycle.map((index) => ids[Number(index)]).join(', ')}`,
      { hint: ['Take one of these dependencies out of the file.'] },
    );
  return tasks.map((task, index) =>
    itemOf(task, ids[index] ?? '', [...new Set(needed[index] ?? [])], locate),
  );
}

function itemOf(task: Task, id: string, after: readonly number[], locate: Find): DocumentItem {
  const { title, description, details, testStrategy, priority, subtasks } = task;
  const detail = [description, details].filter((part) => typeof part === 'string' && part.trim() !== '');
  const complete = isFinished(task);
  const tags = [`task-${id}`, ...(typeof priority === 'string' && priority !== '' ? [priority] : [])];
  const source = locate(title);
  const below = (subtasks ?? []).map((each) => (complete ? { ...each, status: 'done' } : each));
  return {
    kind: 'item',
    description: oneLine(title),
    source,
    complete,
    afterPrevious: false,
    after,
    isTask: true,
    children: itemsOf(below, locate, id),
    tags,
    ...(detail.length === 0 ? {} : { detail: detail.join('\n\n') }),
    ...(typeof testStrategy === 'string' && testStrategy.trim() !== ''
      ? { acceptance: readCriteria(testStrategy).map(({ text: line }) => oneLine(line)) }
      : {}),
  };
}

/** A subtask is named within its task: `3` of task 2 is `2.3`. */
function nameOf(id: string | number, above: string): string {
  const name = String(id);
  return above === '' || name.startsWith(`${above}.`) ? name : `${above}.${name}`;
}
