import { findCycle } from '../dependencies.js';
import { newGoalSchema } from '../events.js';
import type { NewGoal } from '../events.js';
import type { Plan } from '../plan.js';
import { goalSchema } from '../schema.js';
import type { Goal } from '../schema.js';

/** Why these sub-goals of an expansion cannot be added, or null. They may depend on each other only, and in no circle. */
export function wrongSubGoals(plan: Plan, subGoals: readonly NewGoal[]): string | null {
  const wrong = wrongIds(plan, subGoals);
  if (wrong !== null) return wrong;
  const siblings = new Set(subGoals.map(({ id }) => id));
  for (const { id, dependencies } of subGoals) {
    const stranger = dependencies.find((dependency) => !siblings.has(dependency));
    if (stranger !== undefined) return `goal ${id} depends on ${stranger}, which is not a sibling`;
  }
  const edges = new Map(subGoals.map((child) => [child.id, child.dependencies]));
  const cycle = findCycle([...siblings], (id) => edges.get(id) ?? []);
  return cycle === null ? null : `the dependencies form a cycle: ${cycle.join(' → ')}`;
}

/** Why these goals cannot be added to a plan that others of it may depend on, or null; circles are found later. */
export function wrongNewGoals(plan: Plan, born: readonly NewGoal[]): string | null {
  const wrong = wrongIds(plan, born);
  if (wrong !== null) return wrong;
  const ids = new Set(born.map(({ id }) => id));
  for (const { id, dependencies } of born) {
    const unknown = dependencies.find((dependency) => !ids.has(dependency) && !plan.goals.has(dependency));
    if (unknown !== undefined) return `goal ${id} depends on ${unknown}, which does not exist`;
  }
  return null;
}

/**
 * A goal as it begins, under its parent. What it comes with is kept, also what this version does not know; but
 * its place, its status and its past it cannot bring along.
 */
export function bornGoal(born: NewGoal, parent: Goal | null, at: string): Goal {
  const { atomic, complete, id, description, reasoning, dependencies, ...given } = born;
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !MADE_LATER.has(name)));
  return {
    id,
    description,
    status: complete === true ? 'complete' : atomic === true ? 'atomic' : 'pending',
    parent_id: parent?.id ?? null,
    child_ids: [],
    depth: parent === null ? 0 : parent.depth + 1,
    created_at: at,
    updated_at: at,
    reasoning,
    digest: null,
    tokens_used: 0,
    dependencies: [...new Set(dependencies)],
    graph_node_id: null,
    ...rest,
  };
}

/** The members of a goal that none is born with. */
const MADE_LATER: ReadonlySet<string> = new Set(
  Object.keys(goalSchema.shape).filter((name) => !(name in newGoalSchema.shape)),
);

function wrongIds(plan: Plan, born: readonly NewGoal[]): string | null {
  const seen = new Set<string>();
  for (const { id } of born) {
    if (!id.startsWith(`${plan.header.id}-`)) return `goal ${id} does not belong to plan ${plan.header.id}`;
    if (plan.goals.has(id) || seen.has(id)) return `there is a goal ${id} already`;
    seen.add(id);
  }
  return null;
}
