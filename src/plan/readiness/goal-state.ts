import type { Plan } from '../plan.js';
import { isWaiting } from '../plan.js';
import type { Goal } from '../schema.js';
import { liveClaim } from './claims.js';
import { openWork } from './readiness.js';

/** How it stands with a goal at a moment: its status, and for one that is to be done whether somebody can begin. */
export type GoalState = 'to plan' | 'divided' | 'ready' | 'waiting' | 'claimed' | 'done' | 'failed';

/** Tells how it stands with each goal of a plan at a moment, an ISO 8601 time. */
export function goalStates(plan: Plan, at: string): (goal: Goal) => GoalState {
  const startable = new Set(openWork(plan).ready.map(({ id }) => id));
  return (goal) => {
    if (goal.status === 'complete') return 'done';
    if (goal.status === 'failed') return 'failed';
    if (isWaiting(goal)) return 'to plan';
    if (goal.status === 'decomposing') return 'divided';
    if (liveClaim(goal, at) !== null) return 'claimed';
    return startable.has(goal.id) ? 'ready' : 'waiting';
  };
}
