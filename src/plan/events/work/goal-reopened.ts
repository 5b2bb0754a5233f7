import * as z from 'zod';

import { reopenAncestors } from '../../apply/ancestors.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { putGoal } from '../../plan.js';
import type { Goal } from '../../schema.js';
import { depthOf } from '../../apply/opened-goals.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { goalId } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

/** A finished or failed goal is to be done, or to be planned, again. */
export const goalReopened = defineChange({
  type: 'goal_reopened',
  fields: { goal: goalId, reason: z.string().optional() },
  touches: 'its_goal',
  undoable: true,
  opens: ({ goal }, plan) => [{ goal, depth: depthOf(goal, plan) }],
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    if (goal.child_ids.length > 0) return refuse({ code: 'has_sub_goals', goal: goal.id, need: 'reopen' });
    if (goal.status !== 'complete' && goal.status !== 'failed')
      return refuse({ code: 'wrong_status', goal: goal.id, status: goal.status, need: 'reopen' });
    const { failure, ...rest } = goal;
    const toPlan = goal.status === 'failed' && failure?.phase !== 'work';
    // What went wrong when it was expanded is told when it is asked about again.
    const reopened: Goal = toPlan
      ? { ...goal, status: 'pending' }
      : { ...rest, status: 'atomic', digest: null };
    const next = putGoal(plan, { ...reopened, updated_at: event.at });
    return acceptEvent(withPlanStatus(reopenAncestors(next, goal, event.at), event));
  },
  describe: ({ goal, reason }, named) => `reopened ${named(goal)}${withReason(reason)}`,
});
