import * as z from 'zod';

import { restateAncestors } from '../../apply/ancestors.js';
import { addChildren, refusalAsParent } from '../../apply/children.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { goalsBelow } from '../../apply/opened-goals.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { newGoalSchema } from '../new-goal.js';
import { atIndex, because, goalId } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

/** New goals come under a goal that is not finished as a leaf; a finished composite is open again by it. */
export const goalsAdded = defineChange({
  type: 'goals_added',
  fields: {
    parent: goalId,
    sub_goals: z.array(newGoalSchema).min(1),
    at_index: atIndex('children'),
    because,
  },
  touches: 'any_goal',
  undoable: true,
  opens: ({ sub_goals, parent }, plan) => goalsBelow(sub_goals, parent, plan),
  apply(plan, event) {
    const parent = plan.goals.get(event.parent);
    if (parent === undefined) return refuse({ code: 'no_goal', goal: event.parent });
    const refusal = refusalAsParent(parent, event.at);
    if (refusal !== null) return refuse(refusal);
    const grown = addChildren(plan, parent.id, event.sub_goals, event.at, event.at_index);
    if (grown.kind === 'refused') return grown;
    return acceptEvent(withPlanStatus(restateAncestors(grown.plan, parent.id, event.at), event));
  },
  describe: ({ parent, sub_goals, because }, named) =>
    `added ${sub_goals.map(({ description }) => `“${description}”`).join(', ')} to ${named(parent)}${withReason(because)}`,
});
