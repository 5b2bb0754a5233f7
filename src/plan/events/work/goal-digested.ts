import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { spend, withGoalSpend } from '../../apply/spend.js';
import { putGoal } from '../../plan.js';
import { digestSchema } from '../../schema.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { goalId, spent } from '../shared-fields.js';

/** A finished goal gets its digest, or a better one. */
export const goalDigested = defineChange({
  type: 'goal_digested',
  fields: { goal: goalId, digest: digestSchema, made_by: z.enum(['model', 'extraction']), ...spent },
  touches: 'its_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    if (goal.status !== 'complete')
      return refuse({ code: 'wrong_status', goal: goal.id, status: goal.status, need: 'digest' });
    const digested = withGoalSpend({ ...goal, digest: event.digest, updated_at: event.at }, event.usage);
    return acceptEvent(withPlanStatus(spend(putGoal(plan, digested), event), event));
  },
  describe: ({ goal, made_by }, named) =>
    `digested ${named(goal)}${made_by === 'model' ? ' with the model' : ''}`,
});
