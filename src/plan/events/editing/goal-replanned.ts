import * as z from 'zod';

import { restateAncestors, withChildren } from '../../apply/ancestors.js';
import { addChildren } from '../../apply/children.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { removeSubtrees } from '../../apply/remove-subtrees.js';
import { spend, withUsage } from '../../apply/spend.js';
import { liveClaim } from '../../claims.js';
import { goalOf, putGoal } from '../../plan.js';
import type { Plan } from '../../plan.js';
import { claimedBy } from '../../refusals.js';
import type { Refusal } from '../../refusals.js';
import { removalBlocker } from '../../removal-blocker.js';
import type { Goal } from '../../schema.js';
import { accept, defineChange, refuse } from '../define-event.js';
import type { EventFrom } from '../define-event.js';
import { newGoalSchema } from '../new-goal.js';
import { because, goalId, spent } from '../shared-fields.js';
import { withReason } from '../words.js';

const fields = {
  goal: goalId,
  reasoning: z.string().nullable(),
  remove: z.array(goalId).describe('Children that go, with all below them; none with a finished goal in it.'),
  sub_goals: z.array(newGoalSchema).describe('Children that come, after those that stay.'),
  because,
  ...spent,
};

/**
 * A goal gets other sub-goals: some of its children go, new ones come. Whatever is finished, or held by
 * somebody, stays as it is. An atomic, failed or waiting goal is split by it; one that keeps no child is atomic.
 */
export const goalReplanned = defineChange({
  type: 'goal_replanned',
  fields,
  touches: 'any_goal',
  undoable: true,
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    const refusal = refusalOfReplanning(plan, goal, event);
    if (refusal !== null) return refuse(refusal);
    const without = removeSubtrees(plan, event.remove, { at: event.at, standIn: goal.id });
    const { failure: _answered, claim: _expired, ...rest } = goalOf(without, goal.id);
    const asked: Goal = { ...rest, reasoning: event.reasoning ?? goal.reasoning, updated_at: event.at };
    const ready = putGoal(without, withUsage(withChildren(without, asked), event.usage));
    const grown = addChildren(ready, goal.id, event.sub_goals, event.at, undefined);
    if (grown.kind === 'refused') return grown;
    return accept(withPlanStatus(spend(restateAncestors(grown.plan, goal.id, event.at), event), event));
  },
  describe: ({ goal, remove, sub_goals, because }, named) =>
    `replanned ${named(goal)}: ${remove.length} sub-goals went, ${sub_goals.length} came${withReason(because)}`,
});

function refusalOfReplanning(plan: Plan, goal: Goal, event: EventFrom<typeof fields>): Refusal | null {
  if (goal.status === 'complete') return { code: 'complete', goal: goal.id };
  const claim = liveClaim(goal, event.at);
  if (claim !== null) return claimedBy(goal.id, claim);
  const stranger = event.remove.find((id) => !goal.child_ids.includes(id));
  if (stranger !== undefined) return { code: 'not_a_child', goal: stranger, parent: goal.id };
  for (const id of event.remove) {
    const blocker = removalBlocker(plan, id, { at: event.at });
    if (blocker !== null) return blocker;
  }
  return null;
}
