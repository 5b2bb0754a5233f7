import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { refusalByClaim, withoutClaim } from '../../readiness/claims.js';
import { putGoal } from '../../plan.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { claimToken, goalId } from '../shared-fields.js';

/** A goal is given back, or taken from its holder. */
export const claimReleased = defineChange({
  type: 'claim_released',
  fields: {
    goal: goalId,
    token: claimToken,
    forced: z.boolean().optional().describe('Taken from its holder by somebody else.'),
  },
  touches: 'its_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    if (goal.claim === undefined) return refuse({ code: 'not_claimed', goal: goal.id });
    const refusal = event.forced === true ? null : refusalByClaim(goal, event);
    if (refusal !== null) return refuse(refusal);
    return acceptEvent(withPlanStatus(putGoal(plan, { ...withoutClaim(goal), updated_at: event.at }), event));
  },
  describe: ({ goal, forced }, named) =>
    forced === true ? `broke the claim on ${named(goal)}` : `released ${named(goal)}`,
});
