import * as z from 'zod';

import { isTaskMasterFinished } from '../task-master-status.js';

const idSchema = z.union([z.number(), z.string()]).transform(String);
const fields = {
  id: idSchema,
  title: z.string().min(1),
  description: z.string().nullish(),
  details: z.string().nullish(),
  testStrategy: z.string().nullish(),
  priority: z.string().nullish(),
  status: z.string().nullish(),
  dependencies: z.array(idSchema).nullish(),
};
const subtaskSchema = z.looseObject(fields);
const taskSchema = z.looseObject({ ...fields, subtasks: z.array(subtaskSchema).nullish() });
const listSchema = z.looseObject({
  tasks: z.array(taskSchema),
  metadata: z.looseObject({ description: z.string().optional() }).nullish(),
});

/** A task without its subtasks, or a subtask. Members that are not known stay. */
export type TaskMasterSubtask = z.output<typeof subtaskSchema>;
export type TaskMasterTask = z.output<typeof taskSchema>;

/** The tasks of one tag; a file without tags has the tag `master`. */
export interface TaskMasterList {
  readonly tag: string;
  readonly tasks: readonly TaskMasterTask[];
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** The names of the members that have a meaning here. */
export const KNOWN_MEMBERS: ReadonlySet<string> = new Set([...Object.keys(fields), 'subtasks']);

/** Reads the JSON of Task Master's `tasks.json`, of one list or of several tags; null when it is no such file. */
export function taskMasterLists(value: unknown): readonly TaskMasterList[] | null {
  const single = listSchema.safeParse(value);
  if (single.success) return [listOf('master', single.data)];
  const tagged = z.record(z.string(), listSchema).safeParse(value);
  if (!tagged.success) return null;
  const lists = Object.entries(tagged.data).map(([tag, list]) => listOf(tag, list));
  return lists.length === 0 ? null : lists;
}

function listOf(tag: string, { tasks, metadata }: z.output<typeof listSchema>): TaskMasterList {
  return { tag, tasks, metadata: metadata ?? undefined };
}

/** Whether nothing is left to do of a task: it is done, or nobody wants it any more. */
export function isFinished({ status }: Pick<TaskMasterSubtask, 'status'>): boolean {
  return isTaskMasterFinished(status);
}
