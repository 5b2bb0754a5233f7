import { definitionOf } from './events.js';
import type { PlanEvent } from './events.js';
import type { Plan } from './plan.js';
import type { Refusal } from './refusals.js';

/** What an event came to: the next plan, or the plan as it was and the reason. */
export interface Applied {
  readonly plan: Plan | null;
  /** Why the event was refused; null when it was accepted. */
  readonly refused: Refusal | null;
}

/**
 * The one way a plan changes: pure, total and deterministic. Everybody who applies the same events in
 * the same order to `null` has the same plan. It never throws for a valid event, whatever the plan.
 *
 * @param plan the state before, or null before the event that makes the plan
 */
export function apply(plan: Plan | null, event: PlanEvent): Applied {
  const transition = definitionOf(event).apply(plan, event);
  return transition.kind === 'accepted'
    ? { plan: transition.plan, refused: null }
    : { plan, refused: transition.refusal };
}
