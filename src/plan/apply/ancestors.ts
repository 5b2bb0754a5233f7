import { goalOf, putGoal } from '../plan.js';
import type { Plan } from '../plan.js';
import type { Goal } from '../schema.js';

/** From the parent of `goalId` upward: a composite whose children are all complete is complete. */
export function completeAncestors(plan: Plan, goalId: string | undefined, at: string): Plan {
  let next = plan;
  let id = goalId === undefined ? null : goalOf(plan, goalId).parent_id;
  while (id !== null) {
    const parent = goalOf(next, id);
    if (!parent.child_ids.every((child) => goalOf(next, child).status === 'complete')) break;
    next = putGoal(next, { ...parent, status: 'complete', updated_at: at });
    id = parent.parent_id;
  }
  return next;
}

/** From the parent of `goal` upward: what was complete is no longer, and what its digest said no longer holds. */
export function reopenAncestors(plan: Plan, goal: Goal, at: string): Plan {
  let next = plan;
  let id = goal.parent_id;
  while (id !== null) {
    const parent = goalOf(next, id);
    if (parent.status !== 'complete') break;
    next = putGoal(next, { ...parent, status: 'decomposing', digest: null, updated_at: at });
    id = parent.parent_id;
  }
  return next;
}

/**
 * An ancestor whose children changed, as its status must be now: a composite is complete when they all are and
 * open otherwise; without children it is a leaf to be done itself. What failed, was claimed or summed up was the
 * goal as it had been.
 */
export function withChildren(plan: Plan, goal: Goal): Goal {
  const { failure: _answered, claim: _expired, ...rest } = goal;
  if (goal.child_ids.length === 0) return { ...rest, status: 'atomic', digest: null };
  const done = goal.child_ids.every((id) => goalOf(plan, id).status === 'complete');
  if (done) return { ...rest, status: 'complete' };
  return { ...rest, status: 'decomposing', digest: null };
}

/** The goals above one whose children or status changed, as their statuses must be now. */
export function restateAncestors(plan: Plan, goalId: string, at: string): Plan {
  const goal = goalOf(plan, goalId);
  const complete = goal.status === 'complete';
  return complete ? completeAncestors(plan, goalId, at) : reopenAncestors(plan, goal, at);
}
