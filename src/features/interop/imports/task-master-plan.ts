import * as z from 'zod';

import { distinctKeys } from './distinct-keys.js';
import type { OtherToolGoal } from './other-tool-goal.js';
import type { OtherToolPlan } from './other-tool-plan.js';
import { isFinished, KNOWN_MEMBERS, taskMasterLists } from './task-master-file.js';
import type { TaskMasterSubtask, TaskMasterTask } from './task-master-file.js';

/** Reads Task Master's `tasks.json`, of one list or of several tags; null when it is no such file. */
export function taskMasterPlan(value: unknown): OtherToolPlan | null {
  const lists = taskMasterLists(value);
  if (lists === null) return null;
  const [only, ...others] = lists;
  if (only !== undefined && others.length === 0)
    return {
      tool: 'taskmaster',
      title: textOf(only.metadata?.['description']) ?? 'Tasks',
      goals: goalsOf(only.tasks, '', null),
      rest: { tag: only.tag, metadata: only.metadata },
    };
  const goals = lists.flatMap(({ tag, tasks, metadata }): readonly OtherToolGoal[] => [
    {
      key: `tag ${tag}`,
      parent: null,
      description: tag,
      done: false,
      dependsOn: [],
      rest: { tag, metadata },
    },
    ...goalsOf(tasks, `${tag} `, `tag ${tag}`),
  ]);
  return { tool: 'taskmaster', title: 'Tasks', goals };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function goalsOf(
  tasks: readonly TaskMasterTask[],
  prefix: string,
  parent: string | null,
): readonly OtherToolGoal[] {
  const keyOf = distinctKeys();
  return tasks.flatMap((task) => {
    const key = keyOf(`${prefix}${task.id}`);
    const own = new Set((task.subtasks ?? []).map(({ id }) => id));
    const parts = (task.subtasks ?? []).map((subtask) => {
      const { part_of, after = [] } = ownOf(subtask);
      // A number among subtasks means a sibling; a name such as 5.2 a subtask of another task.
      const named = (id: string) => (own.has(id) ? `${key}.${id}` : `${prefix}${id}`);
      const above = part_of === undefined ? key : `${prefix}${part_of}`;
      const goal = goalOf(subtask, `${key}.${subtask.id}`, above, named);
      return { ...goal, dependsOn: [...goal.dependsOn, ...after.map((id) => `${prefix}${id}`)] };
    });
    const repeats = key === `${prefix}${task.id}` ? undefined : task.id;
    return [{ ...goalOf(task, key, parent, (id) => `${prefix}${id}`), repeats }, ...parts];
  });
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
  const { id, title, description, details, testStrategy, priority, status, dependencies } = task;
  const rest = Object.fromEntries(
    Object.entries(task).filter(([name]) => !KNOWN_MEMBERS.has(name) && name !== 'x_frctl'),
  );
  const described = (description ?? '').trim();
  // Both are one text here; one paragraph is the usual description.
  const parts = described === '' ? 0 : described.split('\n\n').length;
  const isOneParagraph = parts === 1 || (parts === 0 && (details ?? '').trim() === '');
  return {
    key,
    parent,
    description: title,
    detail: [description ?? '', details ?? ''].filter((text) => text.trim() !== '').join('\n\n'),
    acceptance: (testStrategy ?? '').split('\n'),
    tags: [
      ...(priority ? [`priority:${priority}`] : []),
      ...(status === 'cancelled' || status === 'deferred' ? [status] : []),
    ],
    done: isFinished(task),
    result: status === 'cancelled' ? 'Cancelled.' : undefined,
    dependsOn: (dependencies ?? []).map(named),
    rest: {
      ...rest,
      id,
      ...(isOneParagraph ? {} : { description_parts: parts }),
      ...(status && !['done', 'pending'].includes(status) ? { status } : {}),
    },
  };
}
