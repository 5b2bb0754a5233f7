import { PlanError } from '../kernel/errors.js';

/** What every store says of a plan that it does not have. */
export function planNotFound(planId: string): PlanError {
  return new PlanError('PLAN_NOT_FOUND', `there is no plan ${planId}`, {
    hint: '`plan list` shows the plans there are.',
    details: { plan: planId },
  });
}
