import * as z from 'zod';

import { restateAncestors, withChildren } from '../../apply/ancestors.js';
import { addChildren } from '../../apply/children.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { removeSubtrees } from '../../apply/remove-subtrees.js';
import { withProposedDecisions } from '../../apply/decisions.js';
import { spend, withGoalSpend } from '../../apply/spend.js';
import { liveClaim } from '../../readiness/claims.js';
import { goalOf, putGoal } from '../../plan.js';
import type { Plan } from '../../plan.js';
import { findCycleThrough } from '../../readiness/dependencies.js';
import { claimedBy } from '../../refusals.js';
import type { Refusal } from '../../refusals.js';
import { removalBlocker } from '../../removal-blocker.js';
import type { Goal } from '../../schema.js';
import { goalsBelow } from '../../apply/opened-goals.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import type { EventFrom, Transition } from '../define-event.js';
import { newGoalSchema } from '../new-goal.js';
import { because, decisions, goalId, spent } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

const fields = {
  goal: goalId,
  reasoning: z.string().nullable(),
  remove: z.array(goalId).describe('Children that go, with all below them; none with a finished goal in it.'),
  sub_goals: z.array(newGoalSchema).describe('Children that come, after those that stay.'),
  keep: z
    .array(z.looseObject({ goal: goalId, add: z.array(goalId), remove: z.array(goalId) }))
    .optional()
    .describe(
      'Open children that were proposed again and stay: dependencies that each gets and loses. One that failed is open again.',
    ),
  decisions: decisions(),
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
  opens: ({ sub_goals, goal }, plan) => goalsBelow(sub_goals, goal, plan),
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    const refusal = refusalOfReplanning(plan, goal, event);
    if (refusal !== null) return refuse(refusal);
    const without = removeSubtrees(plan, event.remove, { at: event.at, standIn: goal.id });
    const { failure: _answered, claim: _expired, ...rest } = goalOf(without, goal.id);
    const asked: Goal = { ...rest, reasoning: event.reasoning ?? goal.reasoning, updated_at: event.at };
    const decided = withProposedDecisions(withChildren(without, asked), event.decisions);
    const ready = putGoal(without, withGoalSpend(decided, event.usage));
    const keep = event.keep ?? [];
    const freed = keep.reduce(
      (next, { goal: id, remove }) => putGoal(next, opened(goalOf(next, id), remove, event.at)),
      ready,
    );
    const grown = addChildren(freed, goal.id, event.sub_goals, event.at, undefined);
    if (grown.kind === 'refused') return grown;
    const bound = boundAnew(grown.plan, keep, event.at);
    if (bound.kind === 'refused') return bound;
    return acceptEvent(withPlanStatus(spend(restateAncestors(bound.plan, goal.id, event.at), event), event));
  },
  describe: ({ goal, remove, sub_goals, keep = [], because }, named, before) => {
    const isSplit = before?.goals.get(goal)?.child_ids.length === 0;
    if (isSplit && sub_goals.length > 0)
      return `split ${named(goal)} into ${sub_goals.length}${withReason(because)}`;
    if (isSplit) return `found ${named(goal)} atomic${withReason(because)}`;
    const kept = keep.length === 0 ? '' : `, ${keep.length} kept`;
    return `replanned ${named(goal)}: ${remove.length} sub-goal${remove.length === 1 ? '' : 's'} went, ${sub_goals.length} came${kept}${withReason(because)}`;
  },
});

type Kept = NonNullable<EventFrom<typeof fields>['keep']>;

/** A kept goal without some dependencies. One that failed is to be done, or planned, again. */
function opened(goal: Goal, remove: readonly string[], at: string): Goal {
  const dependencies = goal.dependencies.filter((id) => !remove.includes(id));
  const { failure, ...rest } = goal;
  if (goal.status === 'failed' && failure?.phase === 'work')
    return { ...rest, dependencies, status: 'atomic', updated_at: at };
  if (goal.status === 'failed') return { ...goal, dependencies, status: 'pending', updated_at: at };
  return dependencies.length === goal.dependencies.length ? goal : { ...goal, dependencies, updated_at: at };
}

/** Gives the kept goals their new dependencies. */
function boundAnew(plan: Plan, keep: Kept, at: string): Transition {
  let next = plan;
  for (const { goal: id, add } of keep) {
    const unknown = add.find((dependency) => !plan.goals.has(dependency));
    if (unknown !== undefined) return refuse({ code: 'no_goal', goal: unknown });
    const goal = goalOf(next, id);
    const dependencies = [...new Set([...goal.dependencies, ...add])];
    if (dependencies.length > goal.dependencies.length)
      next = putGoal(next, { ...goal, dependencies, updated_at: at });
  }
  const cycle = findCycleThrough(
    next,
    keep.flatMap(({ goal, add }) => (add.length > 0 ? [goal] : [])),
  );
  return cycle === null ? acceptEvent(next) : refuse({ code: 'cycle', goals: cycle });
}

function refusalOfReplanning(plan: Plan, goal: Goal, event: EventFrom<typeof fields>): Refusal | null {
  if (goal.status === 'complete') return { code: 'complete', goal: goal.id };
  const claim = liveClaim(goal, event.at);
  if (claim !== null) return claimedBy(goal.id, claim);
  const stranger = event.remove.find((id) => !goal.child_ids.includes(id));
  if (stranger !== undefined) return { code: 'not_a_child', goal: stranger, parent: goal.id };
  for (const { goal: id } of event.keep ?? []) {
    const kept = plan.goals.get(id);
    if (kept === undefined || kept.parent_id !== goal.id || event.remove.includes(id))
      return { code: 'not_a_child', goal: id, parent: goal.id };
    if (kept.status === 'complete') return { code: 'complete', goal: id };
    const held = liveClaim(kept, event.at);
    if (held !== null) return claimedBy(id, held);
  }
  for (const id of event.remove) {
    const blocker = removalBlocker(plan, id, { at: event.at });
    if (blocker !== null) return blocker;
  }
  return null;
}
