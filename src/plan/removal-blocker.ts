import { liveClaim } from './readiness/claims.js';
import { goalOf } from './plan.js';
import type { Plan } from './plan.js';
import { claimedBy } from './refusals.js';
import type { Refusal } from './refusals.js';
import { subtree } from './tree.js';

interface RemovalOptions {
  /** The moment that decides whether a claim still holds. */
  readonly at: string;
  /** Whether finished work may go too. */
  readonly withComplete?: boolean;
}

/** Returns why a goal with all below it cannot be removed, or null: finished work, or a claim that still holds. */
export function removalBlocker(
  plan: Plan,
  id: string,
  { at, withComplete = false }: RemovalOptions,
): Refusal | null {
  for (const goal of subtree(plan, goalOf(plan, id))) {
    if (goal.status === 'complete' && !withComplete) return { code: 'complete', goal: goal.id };
    const claim = liveClaim(goal, at);
    if (claim !== null) return claimedBy(goal.id, claim);
  }
  return null;
}
