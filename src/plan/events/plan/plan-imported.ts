import { checkInvariants } from '../../invariants.js';
import { planFromFile } from '../../make-plan.js';
import { planFileSchema } from '../../schema.js';
import { acceptEvent, defineMaking, refuse } from '../define-event.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

/** A plan is made as a plan file has it. */
export const planImported = defineMaking({
  type: 'plan_imported',
  fields: { plan: planFileSchema },
  touches: 'any_goal',
  undoable: false,
  opens: 'found_later',
  make({ plan }) {
    const problem = checkInvariants(plan)[0];
    if (problem === undefined) return acceptEvent(planFromFile(plan));
    return refuse({
      code: 'invalid_plan',
      source: 'import',
      path: problem.path,
      problem: problem.message,
    });
  },
  describe: ({ plan }) => `imported the plan with ${quantityOf(Object.keys(plan.goals).length, 'goal')}`,
});
