import * as z from 'zod';

import { dataOf } from '../data-members.js';
import { readItem } from './read-item.js';
import type { Unread } from './read-item.js';

const idSchema = z.union([z.number(), z.string().min(1)]);
const text = z.string().nullish();
const fields = {
  id: idSchema,
  title: text,
  description: text,
  details: text,
  testStrategy: text,
  priority: text,
  status: text,
  dependencies: z.array(idSchema).nullish(),
};
const subtaskSchema = z.looseObject(fields);
const taskSchema = z.looseObject({ ...fields, subtasks: z.array(z.unknown()).nullish() });
const NEEDED = ['id'];
const listSchema = z.looseObject({
  tasks: z.array(z.unknown()),
  metadata: z.looseObject({ description: z.string().optional() }).nullish(),
});

/** A task without its subtasks, or a subtask. Members that are not known stay. */
export type TaskMasterSubtask = z.output<typeof subtaskSchema>;
export type TaskMasterTask = TaskMasterSubtask & { readonly subtasks?: readonly TaskMasterSubtask[] };

/** The tasks of one tag; of a list that stands under none the tag is null. */
export interface TaskMasterList {
  readonly tag: string | null;
  readonly tasks: readonly TaskMasterTask[];
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Its place among the lists, where that is not the first for the one without a tag. */
  readonly order?: number;
}

/** The names of the members that have a meaning here. */
export const KNOWN_MEMBERS: ReadonlySet<string> = new Set([...Object.keys(fields), 'subtasks']);

/**
 * Reads the JSON of Task Master's `tasks.json`: one list, lists of several tags, or both; null when it is no such file. What
 * cannot be read of it is named, and costs that task alone.
 */
export function taskMasterLists(value: unknown): {
  readonly lists: readonly TaskMasterList[];
  readonly unread: readonly Unread[];
  /** Members that are not kept, by the keys and places that lead to them. */
  readonly strange: readonly Pick<Unread, 'at'>[];
} | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const unread: Unread[] = [];
  const strange: Pick<Unread, 'at'>[] = [];
  const own = listSchema.safeParse(value).data;
  const lists: TaskMasterList[] =
    own === undefined ? [] : [listOf(null, own, ['tasks'], { unread, strange })];
  for (const [tag, each] of Object.entries(value)) {
    const list =
      (own !== undefined && tag === 'tasks') || tag === 'metadata'
        ? undefined
        : listSchema.safeParse(each).data;
    if (list !== undefined) lists.push(listOf(tag, list, [tag, 'tasks'], { unread, strange }));
    else if (!(own !== undefined && ['tasks', 'metadata'].includes(tag)))
      unread.push({ path: tag, at: [tag], problem: 'it is not a list of tasks' });
  }
  const tasks = lists.flatMap((list) => list.tasks);
  // Without any title they are tasks of something else.
  const isStrange = tasks.length === 0 ? unread.length > 0 : !tasks.some(({ title }) => title);
  return lists.length === 0 || isStrange ? null : { lists, unread, strange };
}

function listOf(
  tag: string | null,
  { tasks, metadata }: z.output<typeof listSchema>,
  keys: readonly string[],
  { unread, strange }: { readonly unread: Unread[]; readonly strange: Pick<Unread, 'at'>[] },
): TaskMasterList {
  const found = tasks.flatMap((value, index): readonly TaskMasterTask[] => {
    const path = `${keys.join('.')}[${index}]`;
    const place = { path, at: [...keys, index], needed: NEEDED, unread };
    const task = readItem(taskSchema, value, place);
    if (task === null) return [];
    const { subtasks: parts, ...rest } = task;
    for (const each of strangeIn(rest, place.at)) strange.push(each);
    const subtasks = (parts ?? []).flatMap((part, number) => {
      const at = [...place.at, 'subtasks', number];
      const subtask = readItem(subtaskSchema, part, { ...place, path: `${path}.subtasks[${number}]`, at });
      for (const each of strangeIn(subtask ?? {}, at)) strange.push(each);
      return subtask ?? [];
    });
    return [parts == null ? rest : { ...rest, subtasks }];
  });
  for (const each of strangeIn({ metadata }, keys.slice(0, -1))) strange.push(each);
  return { tag, tasks: found, metadata: metadata ?? undefined };
}

/** The members of a task that are no data, and so go nowhere. */
function strangeIn(task: object, at: readonly PropertyKey[]): readonly Pick<Unread, 'at'>[] {
  const members = Object.entries(task).filter(([name]) => !KNOWN_MEMBERS.has(name) && name !== 'x_frctl');
  const { leftOut } = dataOf(Object.fromEntries(members), 'taskmaster');
  return [...new Set(leftOut.map((path) => path.split('[', 1)[0] ?? ''))].map((path) => ({
    at: [...at, ...path.split('.')],
  }));
}
