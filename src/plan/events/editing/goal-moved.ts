import { restateAncestors } from '../../apply/ancestors.js';
import { refusalAsParent, withChildIds } from '../../apply/children.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { findCycleThrough } from '../../readiness/dependencies.js';
import { goalOf, putGoal } from '../../plan.js';
import type { Plan } from '../../plan.js';
import type { Goal } from '../../schema.js';
import { subtree } from '../../tree.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import type { EventFrom } from '../define-event.js';
import { atIndex, because, goalId } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

const fields = { goal: goalId, parent: goalId, at_index: atIndex('new siblings'), because };

/** A goal goes to another parent, or to another place among its siblings, with all below it. */
export const goalMoved = defineChange({
  type: 'goal_moved',
  fields,
  touches: 'any_goal',
  undoable: true,
  opens: 'found_later',
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    const parent = plan.goals.get(event.parent);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    if (parent === undefined) return refuse({ code: 'no_goal', goal: event.parent });
    const from = goal.parent_id;
    if (from === null) return refuse({ code: 'root', need: 'move' });
    if (isWithin(plan, parent, goal.id)) return refuse({ code: 'below_itself', goal: goal.id });
    const refusal = parent.id === from ? null : refusalAsParent(parent, event.at);
    if (refusal !== null) return refuse(refusal);
    const moved = moveBelow(plan, goal, goalOf(plan, from), parent, event);
    // Another place among the same siblings makes nobody wait for anything else.
    const cycle = parent.id === from ? null : findCycleThrough(moved, [goal.id, parent.id]);
    if (cycle !== null) return refuse({ code: 'cycle', goals: cycle });
    const restated = restateAncestors(restateAncestors(moved, from, event.at), parent.id, event.at);
    return acceptEvent(withPlanStatus(restated, event));
  },
  describe({ goal, parent, because }, named, before) {
    const isThere = before?.goals.get(goal)?.parent_id === parent;
    const where = isThere ? `to another place below ${named(parent)}` : `to ${named(parent)}`;
    return `moved ${named(goal)} ${where}${withReason(because)}`;
  },
});

function moveBelow(plan: Plan, goal: Goal, from: Goal, parent: Goal, event: EventFrom<typeof fields>): Plan {
  // Copied once each: many siblings may move one after the other.
  const left = [...from.child_ids];
  left.splice(left.indexOf(goal.id), 1);
  const siblings = parent.id === from.id ? left : [...parent.child_ids];
  siblings.splice(event.at_index ?? siblings.length, 0, goal.id);
  let moved = parent.id === from.id ? plan : putGoal(plan, withChildIds(plan, from, left, event.at));
  moved = putGoal(moved, withChildIds(moved, parent, siblings, event.at));
  moved = putGoal(moved, { ...goal, parent_id: parent.id, updated_at: event.at });
  return deepen(moved, goal, parent.depth + 1 - goal.depth);
}

function isWithin(plan: Plan, goal: Goal, above: string): boolean {
  for (let current: Goal | null = goal; current !== null;) {
    if (current.id === above) return true;
    current = current.parent_id === null ? null : goalOf(plan, current.parent_id);
  }
  return false;
}

/** The plan with a goal and all below it on other levels. */
function deepen(plan: Plan, top: Goal, by: number): Plan {
  let next = plan;
  let deepest = plan.header.max_depth;
  for (const { id } of subtree(plan, top)) {
    const goal = goalOf(next, id);
    const depth = goal.depth + by;
    deepest = Math.max(deepest, depth);
    if (by !== 0) next = putGoal(next, { ...goal, depth });
  }
  return deepest === plan.header.max_depth
    ? next
    : { ...next, header: { ...next.header, max_depth: deepest } };
}
