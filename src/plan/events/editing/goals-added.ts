import * as z from 'zod';

import { restateAncestors } from '../../apply/ancestors.js';
import { addChildren, refusalAsParent } from '../../apply/children.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { goalsBelow } from '../../apply/opened-goals.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import type { Goal } from '../../schema.js';
import { newGoalSchema, workOf } from '../new-goal.js';
import type { NewGoal } from '../new-goal.js';
import { atIndex, because, goalId } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

/**
 * New goals come under a goal that is not finished as a leaf; a finished composite is open again by it. One of them may
 * take over the work of a parent that was to be done as it is.
 */
export const goalsAdded = defineChange({
  type: 'goals_added',
  fields: {
    parent: goalId,
    sub_goals: z.array(newGoalSchema).min(1),
    at_index: atIndex('children'),
    own_work: goalId
      .optional()
      .describe(
        'The sub-goal that takes over the work of the parent; left out where that has sub-goals by then.',
      ),
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
    const grown = addChildren(plan, parent.id, addedTo(parent, event), event.at, event.at_index);
    if (grown.kind === 'refused') return grown;
    return acceptEvent(withPlanStatus(restateAncestors(grown.plan, parent.id, event.at), event));
  },
  describe: ({ parent, sub_goals, own_work, because }, named) =>
    `added ${sub_goals
      .filter(({ id }) => id !== own_work)
      .map(({ description }) => `“${description}”`)
      .join(', ')} to ${named(parent)}${withReason(because)}`,
});

/** The sub-goals that come under a parent as it is now, which somebody may have changed or divided meanwhile. */
function addedTo(
  parent: Goal,
  { sub_goals, own_work }: { readonly sub_goals: readonly NewGoal[]; readonly own_work?: string | undefined },
): readonly NewGoal[] {
  if (parent.child_ids.length > 0) return sub_goals.filter(({ id }) => id !== own_work);
  return sub_goals.map((added) => (added.id === own_work ? { ...added, ...workOf(parent) } : added));
}
