import * as z from 'zod';

import { completeAncestors } from '../../apply/ancestors.js';
import { newGoal, refusalOfSubGoals } from '../../apply/new-goals.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { withProposedDecisions } from '../../apply/decisions.js';
import { spend, withGoalSpend } from '../../apply/spend.js';
import { isWaiting, putGoal } from '../../plan.js';
import type { Goal } from '../../schema.js';
import { goalsBelow } from '../../apply/opened-goals.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { newGoalSchema } from '../new-goal.js';
import { decisions, goalId, spent } from '../shared-fields.js';

/** A waiting goal is found atomic, or gets its sub-goals. */
export const goalExpanded = defineChange({
  type: 'goal_expanded',
  fields: {
    goal: goalId,
    atomic: z.boolean(),
    reasoning: z.string().nullable(),
    sub_goals: z.array(newGoalSchema),
    decisions: decisions(),
    ...spent,
  },
  touches: 'its_goal',
  undoable: true,
  opens: ({ sub_goals, goal }, plan) => goalsBelow(sub_goals, goal, plan),
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    if (!isWaiting(goal))
      return refuse({ code: 'wrong_status', goal: goal.id, status: goal.status, need: 'expand' });
    if (event.atomic !== (event.sub_goals.length === 0))
      return refuse({ code: 'contradictory_verdict', goal: goal.id });
    const refusal = refusalOfSubGoals(plan, event.sub_goals);
    if (refusal !== null) return refuse(refusal);

    const { failure: _resolved, ...rest } = goal;
    const next: Goal = {
      ...rest,
      status: event.atomic ? 'atomic' : 'decomposing',
      reasoning: event.reasoning ?? goal.reasoning,
      child_ids: event.sub_goals.map((child) => child.id),
      updated_at: event.at,
    };
    let grown = putGoal(plan, withGoalSpend(withProposedDecisions(next, event.decisions), event.usage));
    for (const child of event.sub_goals) grown = putGoal(grown, newGoal(child, goal, event.at));
    if (event.sub_goals.length > 0 && goal.depth + 1 > grown.header.max_depth) {
      grown = { ...grown, header: { ...grown.header, max_depth: goal.depth + 1 } };
    }
    grown = completeAncestors(grown, event.sub_goals[0]?.id, event.at);
    return acceptEvent(withPlanStatus(spend(grown, event), event));
  },
  describe: ({ goal, atomic, sub_goals }, named) =>
    atomic ? `found ${named(goal)} atomic` : `split ${named(goal)} into ${sub_goals.length}`,
});
