import { heldBy, liveClaim } from './claims.js';
import { goalOf } from './plan.js';
import type { Plan } from './plan.js';
import { subtree } from './tree.js';

/** What it is that makes a goal stay. */
interface Keeping {
  /** The moment that decides whether a claim still holds. */
  readonly at: string;
  /** Whether finished work may go too. */
  readonly withComplete?: boolean;
}

/** Why a goal with all below it cannot be taken away, or null: it holds finished work, or somebody is at work in it. */
export function whyItMustStay(plan: Plan, id: string, { at, withComplete = false }: Keeping): string | null {
  for (const goal of subtree(plan, goalOf(plan, id))) {
    if (goal.status === 'complete' && !withComplete) return `goal ${goal.id} is complete`;
    const held = liveClaim(goal, at);
    if (held !== null) return `goal ${goal.id} is claimed; ${heldBy(held)}`;
  }
  return null;
}
