import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { checkPlan } from '../../invariants.js';
import { planFromFile } from '../../make-plan.js';
import { planFileSchema } from '../../schema.js';
import { accept, defineChange, refuse } from '../define-event.js';

/** The state of a plan file is taken as it is; what was spent is never less than it was. */
export const planRestored = defineChange({
  type: 'plan_restored',
  fields: {
    plan: planFileSchema.describe('The state from here on, as a plan file said it.'),
    reason: z.string(),
  },
  touches: 'any_goal',
  undoable: false,
  apply(plan, event) {
    if (event.plan.id !== plan.header.id) return refuse({ code: 'other_plan', plan: event.plan.id });
    const problem = checkPlan(event.plan)[0];
    if (problem === undefined) return accept(withPlanStatus(planFromFile(event.plan), event));
    return refuse({
      code: 'invalid_plan',
      source: 'plan_file',
      path: problem.path,
      problem: problem.message,
    });
  },
  describe: ({ reason }) => `restored the plan from its file: ${reason}`,
});
