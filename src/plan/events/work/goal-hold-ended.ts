import { withPlanStatus } from '../../apply/plan-status.js';
import { putGoal } from '../../plan.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { because, goalId } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

/** A goal is on hold no longer. */
export const goalHoldEnded = defineChange({
  type: 'goal_hold_ended',
  fields: { goal: goalId, because },
  touches: 'its_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    const { on_hold: over, ...rest } = goal;
    if (over === undefined) return refuse({ code: 'not_on_hold', goal: goal.id });
    return acceptEvent(withPlanStatus(putGoal(plan, { ...rest, updated_at: event.at }), event));
  },
  describe: ({ goal, because }, named) => `ended the hold on ${named(goal)}${withReason(because)}`,
});
