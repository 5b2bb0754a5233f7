import { PlanError } from '../kernel/errors.js';
import { apply } from '../plan/apply.js';
import type { PlanEvent } from '../plan/events.js';
import type { Plan } from '../plan/plan.js';
import { wordRefusal } from '../plan/refusals.js';

/**
 * Refuses events that a plan would be made of for the first refusal among them.
 * @returns the plan that they make
 * @throws PlanError INVALID_PLAN
 */
export function refuseBadBeginning(events: readonly PlanEvent[]): Plan | null {
  let plan: Plan | null = null;
  for (const event of events) {
    const applied = apply(plan, event);
    if (applied.refused !== null) throw new PlanError('INVALID_PLAN', wordRefusal(applied.refused));
    plan = applied.plan;
  }
  return plan;
}
