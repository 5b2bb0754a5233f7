import { liveClaim } from '../readiness/claims.js';
import { findCycleThrough } from '../readiness/dependencies.js';
import type { Transition } from '../events/define-event.js';
import { acceptEvent, refuse } from '../events/define-event.js';
import type { NewGoal } from '../events/new-goal.js';
import { goalOf, putGoal } from '../plan.js';
import type { Plan } from '../plan.js';
import { claimedBy } from '../refusals.js';
import type { Refusal } from '../refusals.js';
import type { Goal } from '../schema.js';
import { withChildren } from './ancestors.js';
import { newGoal, refusalOfNewGoals } from './new-goals.js';

/**
 * Adds new children to a goal.
 * @param index their place among the children, from 0; else last
 */
export function addChildren(
  plan: Plan,
  parentId: string,
  added: readonly NewGoal[],
  at: string,
  index: number | undefined,
): Transition {
  if (added.length === 0) return acceptEvent(plan);
  const refusal = refusalOfNewGoals(plan, added);
  if (refusal !== null) return refuse(refusal);
  const parent = goalOf(plan, parentId);
  const ids = added.map(({ id }) => id);
  let grown = plan;
  for (const child of added) grown = putGoal(grown, newGoal(child, parent, at));
  const child_ids = inserted(parent.child_ids, ids, index);
  grown = putGoal(grown, withChildIds(grown, parent, child_ids, at));
  const depth = parent.depth + 1;
  if (depth > grown.header.max_depth) grown = { ...grown, header: { ...grown.header, max_depth: depth } };
  const cycle = findCycleThrough(grown, ids);
  return cycle === null ? acceptEvent(grown) : refuse({ code: 'cycle', goals: cycle });
}

/** Returns why a goal may not get children where it had none, or null. */
export function refusalAsParent(goal: Goal, at: string): Refusal | null {
  if (goal.child_ids.length > 0) return null;
  if (goal.status === 'complete') return { code: 'complete', goal: goal.id };
  const claim = liveClaim(goal, at);
  return claim === null ? null : claimedBy(goal.id, claim);
}

/** The goal with other children, and with the status that follows from them. */
export function withChildIds(plan: Plan, goal: Goal, child_ids: string[], at: string): Goal {
  return withChildren(plan, { ...goal, child_ids, updated_at: at });
}

/** The ids of children with others put in at a place, from 0; else last. */
function inserted(ids: readonly string[], added: readonly string[], index: number | undefined): string[] {
  const position = Math.min(index ?? ids.length, ids.length);
  return [...ids.slice(0, position), ...added, ...ids.slice(position)];
}
