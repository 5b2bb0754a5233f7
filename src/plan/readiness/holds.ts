import type { Plan } from '../plan.js';
import type { Goal } from '../schema.js';

/** What keeps a goal from being offered: why, and until when if that is known. */
export type Hold = NonNullable<Goal['on_hold']>;

/** A hold, and the goal that it was put on. */
export interface HoldAbove {
  readonly goal: string;
  readonly hold: Hold;
}

/** Returns the hold that a goal itself is under at a moment, or null. A hold lasts up to, not at, its end. */
export function ownHold({ on_hold: hold }: Goal, at: string): Hold | null {
  if (hold === undefined) return null;
  return hold.until === undefined || Date.parse(hold.until) > Date.parse(at) ? hold : null;
}

/** Finds the nearest hold on a goal or one above it at a moment, an ISO 8601 time; null where there is none. */
export function holdOf(plan: Plan, goal: Goal, at: string): HoldAbove | null {
  for (let each: Goal | undefined = goal; each !== undefined; each = plan.goals.get(each.parent_id ?? '')) {
    const hold = ownHold(each, at);
    if (hold !== null) return { goal: each.id, hold };
  }
  return null;
}

/** Tells whether a goal that is not finished is on hold at a moment, by itself or by a goal above it. */
export function isOnHold(plan: Plan, goal: Goal, at: string): boolean {
  return goal.status !== 'complete' && holdOf(plan, goal, at) !== null;
}
