import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { spend, withGoalSpend } from '../../apply/spend.js';
import { ACTION_PLAN_ID_PATTERN } from '../../ids.js';
import { isWaiting, putGoal } from '../../plan.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { goalId, spent } from '../shared-fields.js';

/** A goal that is not divided gets one more action plan; the file itself is the store's. */
export const actionPlanLinked = defineChange({
  type: 'action_plan_linked',
  fields: {
    goal: goalId,
    action_plan: z
      .string()
      .regex(ACTION_PLAN_ID_PATTERN, 'must be ap- and 6 to 61 of 0-9a-z')
      .describe('Its file is actions/<id>.json.'),
    ...spent,
  },
  touches: 'its_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    if (goal.child_ids.length > 0 || isWaiting(goal))
      return refuse({ code: 'wrong_status', goal: goal.id, status: goal.status, need: 'action_plan' });
    const { action_plan } = event;
    const linked = goal.action_plans ?? [];
    if (linked.includes(action_plan))
      return refuse({ code: 'action_plan_exists', goal: goal.id, action_plan });
    const next = { ...goal, action_plans: [...linked, action_plan], updated_at: event.at };
    return acceptEvent(withPlanStatus(spend(putGoal(plan, withGoalSpend(next, event.usage)), event), event));
  },
  describe: ({ goal, action_plan }, named) => `drafted the action plan ${action_plan} for ${named(goal)}`,
});
