import * as z from 'zod';

import type { ForeignGoal, ForeignPlan } from './foreign-plan.js';

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
const listSchema = z.looseObject({ tasks: z.array(taskSchema) });

type Task = z.output<typeof subtaskSchema>;

/** Reads Task Master's `tasks.json`, of one list or of several tags; null when it is no such file. */
export function taskMasterPlan(value: unknown): ForeignPlan | null {
  const single = listSchema.safeParse(value);
  if (single.success)
    return { tool: 'taskmaster', title: 'Tasks', goals: goalsOf(single.data.tasks, '', null) };
  const tagged = z.record(z.string(), listSchema).safeParse(value);
  if (!tagged.success || Object.keys(tagged.data).length === 0) return null;
  const lists = Object.entries(tagged.data);
  const [only] = lists;
  if (lists.length === 1 && only !== undefined)
    return { tool: 'taskmaster', title: 'Tasks', goals: goalsOf(only[1].tasks, '', null) };
  const goals = lists.flatMap(([tag, { tasks }]): readonly ForeignGoal[] => [
    { key: `tag ${tag}`, parent: null, description: tag, done: false, dependsOn: [] },
    ...goalsOf(tasks, `${tag} `, `tag ${tag}`),
  ]);
  return { tool: 'taskmaster', title: 'Tasks', goals };
}

function goalsOf(
  tasks: readonly z.output<typeof taskSchema>[],
  prefix: string,
  parent: string | null,
): readonly ForeignGoal[] {
  return tasks.flatMap((task) => {
    const key = `${prefix}${task.id}`;
    const own = new Set((task.subtasks ?? []).map(({ id }) => id));
    const parts = (task.subtasks ?? []).map((subtask) =>
      // A number among subtasks means a sibling; a name such as 5.2 a subtask of another task.
      goalOf(subtask, `${key}.${subtask.id}`, key, (id) => (own.has(id) ? `${key}.${id}` : `${prefix}${id}`)),
    );
    return [goalOf(task, key, parent, (id) => `${prefix}${id}`), ...parts];
  });
}

function goalOf(task: Task, key: string, parent: string | null, named: (id: string) => string): ForeignGoal {
  const { id, title, description, details, testStrategy, priority, status, dependencies } = task;
  const rest = Object.fromEntries(
    Object.entries(task).filter(([name]) => !(name in fields) && name !== 'subtasks'),
  );
  return {
    key,
    parent,
    description: title,
    detail: [description ?? '', details ?? ''].filter((text) => text.trim() !== '').join('\n\n'),
    acceptance: [testStrategy ?? ''],
    tags: [
      ...(priority ? [`priority:${priority}`] : []),
      ...(status === 'cancelled' || status === 'deferred' ? [status] : []),
    ],
    done: status === 'done' || status === 'completed' || status === 'cancelled',
    result: status === 'cancelled' ? 'Cancelled.' : undefined,
    dependsOn: (dependencies ?? []).map(named),
    rest: { ...rest, id, ...(status && !['done', 'pending'].includes(status) ? { status } : {}) },
  };
}
