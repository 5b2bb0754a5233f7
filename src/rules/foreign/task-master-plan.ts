import type { ForeignGoal, ForeignPlan } from './foreign-plan.js';
import { isFinished, KNOWN_MEMBERS, taskMasterLists } from './task-master-file.js';
import type { TaskMasterSubtask, TaskMasterTask } from './task-master-file.js';

/** Reads Task Master's `tasks.json`, of one list or of several tags; null when it is no such file. */
export function taskMasterPlan(value: unknown): ForeignPlan | null {
  const lists = taskMasterLists(value);
  if (lists === null) return null;
  const [only, ...others] = lists;
  if (only !== undefined && others.length === 0)
    return { tool: 'taskmaster', title: 'Tasks', goals: goalsOf(only.tasks, '', null) };
  const goals = lists.flatMap(({ tag, tasks }): readonly ForeignGoal[] => [
    { key: `tag ${tag}`, parent: null, description: tag, done: false, dependsOn: [] },
    ...goalsOf(tasks, `${tag} `, `tag ${tag}`),
  ]);
  return { tool: 'taskmaster', title: 'Tasks', goals };
}

function goalsOf(
  tasks: readonly TaskMasterTask[],
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

function goalOf(
  task: TaskMasterSubtask,
  key: string,
  parent: string | null,
  named: (id: string) => string,
): ForeignGoal {
  const { id, title, description, details, testStrategy, priority, status, dependencies } = task;
  const rest = Object.fromEntries(Object.entries(task).filter(([name]) => !KNOWN_MEMBERS.has(name)));
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
    done: isFinished(task),
    result: status === 'cancelled' ? 'Cancelled.' : undefined,
    dependsOn: (dependencies ?? []).map(named),
    rest: { ...rest, id, ...(status && !['done', 'pending'].includes(status) ? { status } : {}) },
  };
}
