import type { GOAL_STATES } from '../choices.js';
import type { Plan } from '../plan.js';
import { isWaiting } from '../plan.js';
import type { Goal } from '../schema.js';
import { liveClaim } from './claims.js';
import { ownHold } from './holds.js';

/** How it stands with a goal at a moment: its status, and for one that is to be done whether somebody can begin. */
export type GoalState = (typeof GOAL_STATES)[number];

/** Returns the words for a state of a goal or a plan: `to plan` for `to_plan`. */
export const stateInWords = (state: string): string => state.replace('_', ' ');

/** Tells how it stands with each goal of a plan at a moment, an ISO 8601 time. Only goals that are asked about cost something. */
export function goalStates(plan: Plan, at: string): (goal: Goal) => GoalState {
  const isHeldUp = inherited(plan, ({ dependencies }) =>
    dependencies.some((id) => plan.goals.get(id)?.status !== 'complete'),
  );
  const isOnHold = inherited(plan, (goal) => ownHold(goal, at) !== null);
  return (goal) => {
    if (goal.status === 'complete') return 'done';
    if (goal.status === 'failed') return 'failed';
    if (isOnHold(goal)) return 'on_hold';
    if (isWaiting(goal)) return 'to_plan';
    if (goal.status === 'decomposing') return 'divided';
    if (liveClaim(goal, at) !== null) return 'claimed';
    return isHeldUp(goal) ? 'waiting' : 'ready';
  };
}

/** Whether something is so of a goal or one above it. What is found of a goal above is kept. */
function inherited(plan: Plan, isSo: (goal: Goal) => boolean): (goal: Goal) => boolean {
  const known = new Map<string, boolean>();
  return (goal) => {
    const passed: string[] = [];
    let at: Goal | undefined = goal;
    while (at !== undefined && !known.has(at.id) && !isSo(at)) {
      passed.push(at.id);
      at = plan.goals.get(at.parent_id ?? '');
    }
    const found = at !== undefined && (known.get(at.id) ?? true);
    for (const id of passed) known.set(id, found);
    return found;
  };
}
