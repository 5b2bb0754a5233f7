import { printableJson } from '../../../kernel/text/safe-text.js';
import { goalOf, rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import { isTaskMasterFinished } from '../task-master-status.js';
import { originalOf, originalText, originalNamer, originalField } from './original-fields.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

/** A goal and what it is called in a list: `2`, or `2.1` for a subtask. */
interface NumberedTask {
  readonly goal: Goal;
  readonly id: string;
  readonly tag: string;
}

/**
 * Task Master's `tasks.json`: what is below the root is a task, what is below that a subtask. Deeper goals are subtasks of the
 * same task, and say in `x_frctl` what they are a part of. Goals that were lists of a tag become such lists again. A plan of one goal
 * is one task.
 */
export function toTaskMaster(plan: Plan): string {
  const root = rootOf(plan);
  const lists = listsOf(plan, root);
  const numbered = new Map<string, NumberedTask>();
  for (const { tag, goals } of lists)
    for (const one of numberTasks(plan, goals, tag)) numbered.set(one.goal.id, one);
  const content = Object.fromEntries(
    lists.map(({ tag, goals, metadata }) => [
      tag,
      { tasks: goals.map((goal) => taskOf(plan, goal, numbered)), metadata },
    ]),
  );
  return `${printableJson(JSON.stringify(content, null, 2))}\n`;
}

interface List {
  readonly tag: string;
  readonly goals: readonly Goal[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

function listsOf(plan: Plan, root: Goal): readonly List[] {
  const isOneGoal =
    root.child_ids.length === 0 && originalText(originalOf(root, 'taskmaster'), 'tag') === null;
  const children = isOneGoal ? [root] : childrenOf(plan, root);
  const own = children.filter((goal) => originalText(originalOf(goal, 'taskmaster'), 'tag') === null);
  const tags = children.filter((goal) => !own.includes(goal));
  const named = originalNamer(
    tags.flatMap((goal) => originalText(originalOf(goal, 'taskmaster'), 'tag') ?? []),
  );
  const lists = tags.map((goal) => {
    const tag = named(originalText(originalOf(goal, 'taskmaster'), 'tag'), counter('tag-'));
    return { tag, goals: childrenOf(plan, goal), metadata: metadataOf(goal, null) };
  });
  if (own.length === 0 && lists.length > 0) return lists;
  const tag = named(originalText(originalOf(root, 'taskmaster'), 'tag') ?? 'master', counter('tasks-'));
  return [{ tag, goals: own, metadata: metadataOf(root, root.description) }, ...lists];
}

function metadataOf(goal: Goal, description: string | null): Readonly<Record<string, unknown>> {
  const metadata = originalOf(goal, 'taskmaster')['metadata'];
  const original =
    typeof metadata === 'object' ? metadata : { created: goal.created_at, updated: goal.updated_at };
  return { ...original, ...(description === null ? {} : { description }) };
}

/** Names the tasks of a list and all below them. */
function numberTasks(plan: Plan, goals: readonly Goal[], tag: string): readonly NumberedTask[] {
  const names = originalNamer(goals.flatMap((goal) => idOf(goal) ?? []));
  const next = counter('');
  return goals.flatMap((goal) => {
    const id = names(idOf(goal), next);
    const parts = partsOf(plan, goal);
    const partNames = originalNamer(parts.flatMap((part) => idOf(part) ?? []));
    const nextPart = counter('');
    return [
      { goal, id, tag },
      ...parts.map((part) => ({ goal: part, id: `${id}.${partNames(idOf(part), nextPart)}`, tag })),
    ];
  });
}

function idOf(goal: Goal): string | null {
  const id = originalText(originalOf(goal, 'taskmaster'), 'id');
  return id !== null && /^\d{1,9}$/.test(id) ? id : null;
}

function counter(prefix: string): () => string {
  let number = 0;
  return () => `${prefix}${(number += 1)}`;
}

/** All below a goal, depth-first. */
function partsOf(plan: Plan, goal: Goal): readonly Goal[] {
  const found: Goal[] = [];
  const open = [...goal.child_ids].toReversed();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const part = goalOf(plan, id);
    found.push(part);
    open.push(...part.child_ids.toReversed());
  }
  return found;
}

function taskOf(plan: Plan, goal: Goal, numbered: ReadonlyMap<string, NumberedTask>) {
  const parts = partsOf(plan, goal);
  const own = new Set(parts.map((part) => numberOf(numbered.get(part.id))));
  const subtasks = parts.map((part) => {
    const after = neededBy(part, numbered);
    // A number among subtasks means a sibling, so a task of that number has no other place.
    const hidden = after.filter((id) => !id.includes('.') && own.has(Number(id)));
    const carried = {
      ...(part.parent_id === goal.id ? {} : { part_of: numbered.get(part.parent_id ?? '')?.id }),
      ...(hidden.length === 0 ? {} : { after: hidden }),
    };
    const shown = after.filter((id) => !hidden.includes(id));
    return {
      ...membersOf(part, numbered, shown),
      ...(Object.keys(carried).length === 0 ? {} : { x_frctl: carried }),
    };
  });
  return { ...membersOf(goal, numbered, neededBy(goal, numbered)), subtasks };
}

/** What a goal waits for in its own list. */
function neededBy(
  { id, dependencies }: Goal,
  numbered: ReadonlyMap<string, NumberedTask>,
): readonly string[] {
  const tag = numbered.get(id)?.tag;
  return dependencies.flatMap((on) => {
    const other = numbered.get(on);
    return other === undefined || other.tag !== tag ? [] : other.id;
  });
}

function membersOf(goal: Goal, numbered: ReadonlyMap<string, NumberedTask>, after: readonly string[]) {
  const {
    id: _id,
    status: _status,
    x_frctl: _own,
    description_parts: parts = 1,
    ...rest
  } = originalOf(goal, 'taskmaster');
  const detail = (goal.detail ?? '').split('\n\n');
  const described = typeof parts === 'number' ? parts : 1;
  const priority = originalField(goal, 'priority');
  return {
    ...rest,
    id: numberOf(numbered.get(goal.id)),
    title: goal.description,
    description: detail.slice(0, described).join('\n\n'),
    details: detail.slice(described).join('\n\n'),
    testStrategy: (goal.acceptance ?? []).join('\n'),
    status: statusOf(goal),
    ...(priority === null ? {} : { priority }),
    dependencies: after.map((id) => (id.includes('.') ? id : Number(id))),
  };
}

function numberOf(numbered: NumberedTask | undefined): number {
  return Number(numbered?.id.split('.').at(-1));
}

function statusOf(goal: Goal): string {
  const before = originalText(originalOf(goal, 'taskmaster'), 'status');
  if (goal.status === 'complete') return before !== null && isTaskMasterFinished(before) ? before : 'done';
  if (goal.status === 'failed') return 'blocked';
  if (goal.claim !== undefined) return 'in-progress';
  return before !== null && !isTaskMasterFinished(before) ? before : 'pending';
}

function childrenOf(plan: Plan, goal: Goal): readonly Goal[] {
  return goal.child_ids.map((id) => goalOf(plan, id));
}

/**
 * What Task Master knows none of and its export leaves out: the texts that say which dependencies between lists of
 * several tags there are.
 */
export function crossTagDependencies(plan: Plan): readonly string[] {
  const tagOf = new Map<string, string>();
  for (const { tag, goals } of listsOf(plan, rootOf(plan)))
    for (const { goal } of numberTasks(plan, goals, tag)) tagOf.set(goal.id, tag);
  const crossing = [...plan.goals.values()].filter(({ id, dependencies }) =>
    dependencies.some((on) => tagOf.get(on) !== tagOf.get(id)),
  );
  return crossing.length === 0 ? [] : [`dependencies between tags (${quantityOf(crossing.length, 'goal')})`];
}
