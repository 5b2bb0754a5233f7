import * as z from 'zod';

import { restateAncestors } from '../../apply/ancestors.js';
import { withChildIds } from '../../apply/children.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { removeSubtrees } from '../../apply/remove-subtrees.js';
import { goalOf, putGoal } from '../../plan.js';
import { removalBlocker } from '../../removal-blocker.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { because, goalId } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

/** A goal and all below it go; what depended on it depends on what it depended on. */
export const goalRemoved = defineChange({
  type: 'goal_removed',
  fields: {
    goal: goalId,
    with_complete: z.boolean().optional().describe('Finished work below it goes too.'),
    because,
  },
  touches: 'any_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    if (goal.parent_id === null) return refuse({ code: 'root', need: 'remove' });
    const withComplete = event.with_complete === true;
    const blocker = removalBlocker(plan, goal.id, { at: event.at, withComplete });
    if (blocker !== null) return refuse(blocker);
    const without = removeSubtrees(plan, [goal.id], { at: event.at });
    const parent = goalOf(without, goal.parent_id);
    const restated = putGoal(without, withChildIds(without, parent, parent.child_ids, event.at));
    return acceptEvent(withPlanStatus(restateAncestors(restated, goal.parent_id, event.at), event));
  },
  describe: ({ goal, because }, named) => `removed ${named(goal)}${withReason(because)}`,
});
