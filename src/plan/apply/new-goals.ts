import { findCycle } from '../readiness/dependencies.js';
import { newGoalSchema } from '../events/new-goal.js';
import type { NewGoal } from '../events/new-goal.js';
import type { Plan } from '../plan.js';
import type { Refusal } from '../refusals.js';
import { goalSchema } from '../schema.js';
import type { Goal } from '../schema.js';

/** Returns why the sub-goals of an expansion cannot be added, or null. They may depend on each other only, and in no cycle. */
export function refusalOfSubGoals(plan: Plan, subGoals: readonly NewGoal[]): Refusal | null {
  const wrong = refusalOfIds(plan, subGoals);
  if (wrong !== null) return wrong;
  const siblings = new Set(subGoals.map(({ id }) => id));
  for (const { id, dependencies } of subGoals) {
    const stranger = dependencies.find((dependency) => !siblings.has(dependency));
    if (stranger !== undefined) return { code: 'dependency_not_a_sibling', goal: id, on: stranger };
  }
  const edges = new Map(subGoals.map((child) => [child.id, child.dependencies]));
  const cycle = findCycle([...siblings], (id) => edges.get(id) ?? []);
  return cycle === null ? null : { code: 'cycle', goals: cycle };
}

/** Returns why goals cannot be added that may depend on any goal of the plan, or null; cycles are found later. */
export function refusalOfNewGoals(plan: Plan, added: readonly NewGoal[]): Refusal | null {
  const wrong = refusalOfIds(plan, added);
  if (wrong !== null) return wrong;
  const ids = new Set(added.map(({ id }) => id));
  for (const { id, dependencies } of added) {
    const unknown = dependencies.find((dependency) => !ids.has(dependency) && !plan.goals.has(dependency));
    if (unknown !== undefined) return { code: 'unknown_dependency', goal: id, on: unknown };
  }
  return null;
}

/**
 * A goal as it begins, under its parent. What it comes with is kept, also what this version does not know; but
 * its place, its status and its past it cannot bring along.
 */
export function newGoal(added: NewGoal, parent: Goal | null, at: string): Goal {
  const { atomic, complete, id, description, reasoning, dependencies, ...given } = added;
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !isMadeLater(name)));
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

/** Whether a member of a goal is one that a new goal does not have. */
function isMadeLater(name: string): boolean {
  return Object.hasOwn(goalSchema.shape, name) && !Object.hasOwn(newGoalSchema.shape, name);
}

function refusalOfIds(plan: Plan, added: readonly NewGoal[]): Refusal | null {
  const seen = new Set<string>();
  for (const { id } of added) {
    if (!id.startsWith(`${plan.header.id}-`)) return { code: 'foreign_goal', goal: id, plan: plan.header.id };
    if (plan.goals.has(id) || seen.has(id)) return { code: 'goal_exists', goal: id };
    seen.add(id);
  }
  return null;
}
