import { PlanError } from '../kernel/errors.js';
import { hintStep } from '../kernel/hint.js';

/** What every store says of a plan that it does not have. */
export function planNotFound(planId: string): PlanError {
  return new PlanError('PLAN_NOT_FOUND', `there is no plan ${planId}`, {
    hint: [hintStep('list'), ' shows the plans there are.'],
    details: { plan: planId },
  });
}

/** What every store says of a plan whose id is taken. */
export function planExists(planId: string): PlanError {
  return new PlanError('PLAN_EXISTS', `there is a plan ${planId} already`, {
    hint: {
      commandLine: `\`plan status ${planId}\` shows the one that is here, also when it is archived; it stays as it is.`,
    },
    details: { plan: planId },
  });
}
