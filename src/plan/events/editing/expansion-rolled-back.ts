import * as z from 'zod';

import { restateAncestors } from '../../apply/ancestors.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { removeSubtrees } from '../../apply/remove-subtrees.js';
import { goalOf, putGoal } from '../../plan.js';
import { removalBlocker } from '../../removal-blocker.js';
import type { Goal } from '../../schema.js';
import { liveClaim } from '../../readiness/claims.js';
import { claimedBy } from '../../refusals.js';
import { depthOf } from '../../apply/opened-goals.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { because, goalId } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

/**
 * An expansion is taken back: all below the goal goes, and it waits to be planned again. With `undivided` it is the
 * verdict that the goal is atomic.
 */
export const expansionRolledBack = defineChange({
  type: 'expansion_rolled_back',
  fields: {
    goal: goalId,
    because,
    undivided: z
      .boolean()
      .optional()
      .describe('Whether the goal was found atomic and has no sub-goals; whoever plans is asked again.'),
  },
  touches: 'any_goal',
  undoable: true,
  opens: ({ goal }, plan) => [{ goal, depth: depthOf(goal, plan) }],
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    if (event.undivided === true) {
      const { claim: _over, ...rest } = goal;
      const held = liveClaim(goal, event.at);
      if (held !== null) return refuse(claimedBy(goal.id, held));
      if (goal.status !== 'atomic')
        return refuse({ code: 'wrong_status', goal: goal.id, status: goal.status, need: 'divide' });
      const waiting: Goal = { ...rest, status: 'pending', updated_at: event.at };
      return acceptEvent(withPlanStatus(restateAncestors(putGoal(plan, waiting), goal.id, event.at), event));
    }
    if (goal.child_ids.length === 0) return refuse({ code: 'no_sub_goals', goal: goal.id });
    for (const id of goal.child_ids) {
      const blocker = removalBlocker(plan, id, { at: event.at });
      if (blocker !== null) return refuse(blocker);
    }
    const without = removeSubtrees(plan, goal.child_ids, { at: event.at, standIn: goal.id });
    const waiting: Goal = { ...goalOf(without, goal.id), status: 'pending', updated_at: event.at };
    return acceptEvent(withPlanStatus(restateAncestors(putGoal(without, waiting), goal.id, event.at), event));
  },
  describe: ({ goal, because, undivided }, named) =>
    undivided === true
      ? `had ${named(goal)} planned again${withReason(because)}`
      : `rolled back the expansion of ${named(goal)}${withReason(because)}`,
});
