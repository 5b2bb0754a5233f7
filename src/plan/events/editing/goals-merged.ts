import * as z from 'zod';

import { restateAncestors } from '../../apply/ancestors.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { removeSubtrees } from '../../apply/remove-subtrees.js';
import { findCycleThrough } from '../../readiness/dependencies.js';
import { isWaiting, putGoal } from '../../plan.js';
import type { Plan } from '../../plan.js';
import type { Refusal } from '../../refusals.js';
import { removalBlocker } from '../../removal-blocker.js';
import type { Goal } from '../../schema.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import type { EventFrom } from '../define-event.js';
import { because, goalId } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

const fields = {
  goal: goalId.describe('The goal that stays.'),
  merged: z.array(goalId).min(1).describe('Its siblings that go into it.'),
  description: z.string().min(1).describe('What it says from here on.'),
  because,
};

/** Siblings that nobody has begun become one goal, which keeps all their details and dependencies. */
export const goalsMerged = defineChange({
  type: 'goals_merged',
  fields,
  touches: 'any_goal',
  undoable: true,
  opens: 'found_later',
  apply(plan, event) {
    const ids = [event.goal, ...event.merged];
    const twice = ids.find((id, index) => ids.indexOf(id) < index);
    if (twice !== undefined) return refuse({ code: 'named_twice', goal: twice });
    const missing = ids.find((id) => !plan.goals.has(id));
    if (missing !== undefined) return refuse({ code: 'no_goal', goal: missing });
    const [first, ...others] = ids.flatMap((id) => plan.goals.get(id) ?? []);
    if (first === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    const refusal = refusalOfMerging(plan, [first, ...others], event.at);
    if (refusal !== null) return refuse(refusal);
    const without = removeSubtrees(plan, event.merged, { at: event.at, standIn: first.id, always: true });
    const merged = putGoal(without, mergedGoal(first, others, event));
    const cycle = findCycleThrough(merged, [first.id]);
    if (cycle !== null) return refuse({ code: 'cycle', goals: cycle });
    const parent = first.parent_id ?? plan.header.root_goal_id;
    return acceptEvent(withPlanStatus(restateAncestors(merged, parent, event.at), event));
  },
  describe: ({ goal, merged, description, because }, named) =>
    `merged ${[goal, ...merged].map(named).join(', ')} into “${description}”${withReason(because)}`,
});

function refusalOfMerging(plan: Plan, goals: readonly Goal[], at: string): Refusal | null {
  for (const { id, parent_id, child_ids } of goals) {
    if (parent_id === null || parent_id !== goals[0]?.parent_id) return { code: 'not_siblings' };
    if (child_ids.length > 0) return { code: 'has_sub_goals', goal: id, need: 'merge' };
    const blocker = removalBlocker(plan, id, { at });
    if (blocker !== null) return blocker;
  }
  return null;
}

function mergedGoal(first: Goal, others: readonly Goal[], event: EventFrom<typeof fields>): Goal {
  const all = [first, ...others];
  const gone = new Set(all.map(({ id }) => id));
  const detail = all.flatMap((goal) => goal.detail ?? []).join('\n\n');
  const acceptance = [...new Set(all.flatMap((goal) => goal.acceptance ?? []))];
  const tags = [...new Set(all.flatMap((goal) => goal.tags ?? []))];
  const actionPlans = [...new Set(all.flatMap((goal) => goal.action_plans ?? []))];
  const touches = [...new Set(all.flatMap((goal) => goal.touches ?? []))];
  const checks = all.flatMap((goal) => goal.checks ?? []);
  const { failure: _past, claim: _expired, size: _smaller, ...rest } = first;
  return {
    ...rest,
    description: event.description,
    status: all.some((goal) => isWaiting(goal)) ? 'pending' : 'atomic',
    dependencies: [...new Set(all.flatMap(({ dependencies }) => dependencies))].filter((id) => !gone.has(id)),
    tokens_used: all.reduce((sum, goal) => sum + goal.tokens_used, 0),
    ...(detail === '' ? {} : { detail }),
    ...(acceptance.length === 0 ? {} : { acceptance }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(actionPlans.length === 0 ? {} : { action_plans: actionPlans }),
    ...(touches.length === 0 ? {} : { touches }),
    ...(checks.length === 0 ? {} : { checks }),
    updated_at: event.at,
  };
}
