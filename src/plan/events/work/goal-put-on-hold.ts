import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { refusalByClaim, withoutClaim } from '../../readiness/claims.js';
import { putGoal } from '../../plan.js';
import { timestampSchema } from '../../schema.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { goalId } from '../shared-fields.js';

/** A goal that is not finished, and all below it, is not to be worked on for now. A claim of the same name ends. */
export const goalPutOnHold = defineChange({
  type: 'goal_put_on_hold',
  fields: {
    goal: goalId,
    reason: z.string().min(1),
    until: timestampSchema.optional().describe('From then on it is on hold no longer.'),
  },
  touches: 'its_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    if (goal.status === 'complete') return refuse({ code: 'complete', goal: goal.id });
    const refusal = refusalByClaim(goal, { by: event.by, at: event.at });
    if (refusal !== null) return refuse(refusal);
    const { reason, until } = event;
    const on_hold = { reason, ...(until === undefined ? {} : { until }) };
    const held = { ...withoutClaim(goal), on_hold, updated_at: event.at };
    return acceptEvent(withPlanStatus(putGoal(plan, held), event));
  },
  describe: ({ goal, reason, until }, named) =>
    `put ${named(goal)} on hold${until === undefined ? '' : ` until ${until}`}: ${reason}`,
});
