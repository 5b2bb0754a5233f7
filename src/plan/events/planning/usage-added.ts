import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { spend, withGoalSpend } from '../../apply/spend.js';
import { putGoal } from '../../plan.js';
import { usageSchema } from '../../schema.js';
import { acceptEvent, defineChange } from '../define-event.js';
import { goalId, spent } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

/** Calls were made of which nothing else came. Never refused: what was spent was spent, also for a goal that is gone. */
export const usageAdded = defineChange({
  type: 'usage_added',
  fields: {
    goal: goalId.optional().describe('The goal that was asked about.'),
    because: z.string().describe('What the calls were made for, and why nothing else came of them.'),
    usage: usageSchema,
    warnings: spent.warnings,
  },
  touches: 'its_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const goal = event.goal === undefined ? undefined : plan.goals.get(event.goal);
    const next =
      goal === undefined || event.usage.calls === 0
        ? plan
        : putGoal(plan, withGoalSpend({ ...goal, updated_at: event.at }, event.usage));
    return acceptEvent(withPlanStatus(spend(next, event), event));
  },
  describe: ({ goal, because }, named) =>
    `asked the model${goal === undefined ? '' : ` about ${named(goal)}`} without result${withReason(because)}`,
});
