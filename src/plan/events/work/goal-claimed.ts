import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { liveClaim } from '../../readiness/claims.js';
import { holdOf } from '../../readiness/holds.js';
import { waitingFor } from '../../readiness/dependencies.js';
import { putGoal } from '../../plan.js';
import { claimedBy } from '../../refusals.js';
import { timestampSchema } from '../../schema.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { goalId } from '../shared-fields.js';

/** Somebody takes a goal that can start now, unless somebody else holds it. */
export const goalClaimed = defineChange({
  type: 'goal_claimed',
  fields: {
    goal: goalId,
    token: z.string().min(1).describe('What the holder proves the claim with.'),
    expires_at: timestampSchema.describe('From then on another may claim the goal.'),
  },
  touches: 'its_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    if (goal.status !== 'atomic')
      return refuse({ code: 'wrong_status', goal: goal.id, status: goal.status, need: 'claim' });
    const live = liveClaim(goal, event.at);
    if (live !== null) return refuse(claimedBy(goal.id, live));
    const held = holdOf(plan, goal, event.at);
    if (held !== null) return refuse({ code: 'on_hold', goal: goal.id, held: held.goal, ...held.hold });
    const waiting = waitingFor(plan, goal);
    if (waiting.length > 0) return refuse({ code: 'waiting', goal: goal.id, waiting_for: waiting });
    const { token, expires_at } = event;
    const claim = { by: event.by, since: event.at, expires_at, token };
    return acceptEvent(withPlanStatus(putGoal(plan, { ...goal, claim, updated_at: event.at }), event));
  },
  describe: ({ goal, expires_at }, named) => `claimed ${named(goal)} until ${expires_at}`,
});
