import * as z from 'zod';

import { restateAncestors } from '../../apply/ancestors.js';
import { addChildren, refusalAsParent } from '../../apply/children.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { goalsBelow } from '../../apply/opened-goals.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import type { Goal } from '../../schema.js';
import { goalOf, putGoal } from '../../plan.js';
import { newGoalSchema, withoutWork, workOf } from '../new-goal.js';
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
    moves_work: z
      .literal(true)
      .optional()
      .describe('Whether the parent has the work of `own_work` no longer; without it both have it.'),
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
    const isMoved = movesWork(parent, event);
    const moved = isMoved ? putGoal(grown.plan, withoutWork(goalOf(grown.plan, parent.id))) : grown.plan;
    return acceptEvent(withPlanStatus(restateAncestors(moved, parent.id, event.at), event));
  },
  describe({ parent, sub_goals, own_work, because }, named) {
    const others = sub_goals.filter(({ id }) => id !== own_work).map(({ description }) => `“${description}”`);
    const added = others.length === 0 ? [] : [`added ${others.join(', ')} to ${named(parent)}`];
    const own = others.length < sub_goals.length ? [`made its own work a sub-goal of ${named(parent)}`] : [];
    return `${[...own, ...added].join(' and ')}${withReason(because)}`;
  },
});

interface Added {
  readonly sub_goals: readonly NewGoal[];
  readonly own_work?: string | undefined;
  readonly moves_work?: true | undefined;
}

/** The sub-goals that come under a parent as it is now, which somebody may have changed or divided meanwhile. */
function addedTo(parent: Goal, event: Added): readonly NewGoal[] {
  const { sub_goals, own_work } = event;
  if (parent.child_ids.length > 0) return sub_goals.filter(({ id }) => id !== own_work);
  const { graph_node_id: node } = parent;
  const own = {
    ...workOf(parent),
    ...(movesWork(parent, event) && node !== null ? { graph_node_id: node } : {}),
  };
  return sub_goals.map((added) => (added.id === own_work ? { ...added, ...own } : added));
}

/** Whether a sub-goal takes the work of its parent away from that. */
function movesWork({ child_ids }: Goal, { sub_goals, own_work, moves_work }: Added): boolean {
  return moves_work === true && child_ids.length === 0 && sub_goals.some(({ id }) => id === own_work);
}
