import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { refusalByClaim } from '../../readiness/claims.js';
import { putGoal } from '../../plan.js';
import { timestampSchema } from '../../schema.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { goalId } from '../shared-fields.js';

/** The end of a claim is extended; also of one that has expired, when nobody took the goal meanwhile. */
export const claimRenewed = defineChange({
  type: 'claim_renewed',
  fields: { goal: goalId, token: z.string().min(1), expires_at: timestampSchema },
  touches: 'its_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    const refusal = refusalByClaim(goal, event);
    if (refusal !== null) return refuse(refusal);
    if (goal.claim === undefined) return refuse({ code: 'not_claimed', goal: goal.id });
    const claim = { ...goal.claim, expires_at: event.expires_at };
    return acceptEvent(withPlanStatus(putGoal(plan, { ...goal, claim, updated_at: event.at }), event));
  },
  describe: ({ goal, expires_at }, named) => `renewed the claim on ${named(goal)} until ${expires_at}`,
});
