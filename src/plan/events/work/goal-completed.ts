import { completeAncestors } from '../../apply/ancestors.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { refusalByClaim, withoutClaim } from '../../readiness/claims.js';
import { putGoal } from '../../plan.js';
import { digestSchema } from '../../schema.js';
import type { Goal } from '../../schema.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { resultSchema } from '../result.js';
import { claimToken, goalId } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

/** Characters of the first line of a report that a message shows. */
const SHOWN = 200;

/**
 * An atomic goal is done. What it waits for is not asked here: finished work stands, also where another copy
 * of the plan reopened a dependency meanwhile.
 */
export const goalCompleted = defineChange({
  type: 'goal_completed',
  fields: {
    goal: goalId,
    token: claimToken,
    result: resultSchema.optional().describe('What was submitted: the source of the digest.'),
    digest: digestSchema.optional(),
  },
  touches: 'its_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    if (goal.status !== 'atomic')
      return refuse({ code: 'wrong_status', goal: goal.id, status: goal.status, need: 'complete' });
    const refusal = refusalByClaim(goal, event);
    if (refusal !== null) return refuse(refusal);
    const done: Goal = {
      ...withoutClaim(goal),
      status: 'complete',
      digest: event.digest ?? goal.digest,
      updated_at: event.at,
    };
    return acceptEvent(withPlanStatus(completeAncestors(putGoal(plan, done), goal.id, event.at), event));
  },
  describe: ({ goal, result }, named) =>
    `completed ${named(goal)}${withReason(result?.summary ?? firstLine(result?.text))}`,
});

function firstLine(text: string | undefined): string | undefined {
  return text
    ?.split('\n')
    .find((line) => line.trim() !== '')
    ?.slice(0, SHOWN);
}
