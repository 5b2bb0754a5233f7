import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { spend, withGoalSpend } from '../../apply/spend.js';
import { refusalByClaim, withoutClaim } from '../../readiness/claims.js';
import { isWaiting, putGoal } from '../../plan.js';
import { phaseSchema } from '../../schema.js';
import type { Goal } from '../../schema.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { claimToken, goalId, spent } from '../shared-fields.js';

/** A goal could not be expanded, or could not be done. */
export const goalFailed = defineChange({
  type: 'goal_failed',
  fields: {
    goal: goalId,
    token: claimToken,
    reason: z.string(),
    code: z.string().optional(),
    phase: phaseSchema,
    ...spent,
  },
  touches: 'its_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    const planning = event.phase === 'planning';
    if (planning ? !isWaiting(goal) : goal.status !== 'atomic') {
      const need = planning ? 'mark_for_review' : 'fail';
      return refuse({ code: 'wrong_status', goal: goal.id, status: goal.status, need });
    }
    const refusal = planning ? null : refusalByClaim(goal, event);
    if (refusal !== null) return refuse(refusal);
    const failure = {
      reason: event.reason,
      ...(event.code === undefined ? {} : { code: event.code }),
      phase: event.phase,
      at: event.at,
    };
    const failed: Goal = { ...withoutClaim(goal), status: 'failed', failure, updated_at: event.at };
    return acceptEvent(
      withPlanStatus(spend(putGoal(plan, withGoalSpend(failed, event.usage)), event), event),
    );
  },
  describe: ({ goal, phase, reason }, named) =>
    `${phase === 'planning' ? 'marked for review' : 'failed'} ${named(goal)}: ${reason}`,
});
