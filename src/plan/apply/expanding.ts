import type { EventStamp, PayloadOf } from '../events.js';
import { isWaiting, putGoal } from '../plan.js';
import type { Plan } from '../plan.js';
import type { Goal } from '../schema.js';
import { completeAncestors } from './ancestors.js';
import { accept } from './applied.js';
import type { Applied, Refuse } from './applied.js';
import { bornGoal, wrongSubGoals } from './born-goals.js';
import { settle } from './settle.js';
import { spend, withUsage } from './spend.js';

/** A waiting goal is found atomic, or gets its sub-goals. */
export function expandGoal(
  plan: Plan,
  event: PayloadOf<'goal_expanded'> & EventStamp,
  refuse: Refuse,
): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  if (!isWaiting(goal)) return refuse(`goal ${goal.id} is ${goal.status} already`);
  if (event.atomic !== (event.sub_goals.length === 0)) {
    return refuse('an atomic goal has no sub-goals, any other has at least one');
  }
  const wrong = wrongSubGoals(plan, event.sub_goals);
  if (wrong !== null) return refuse(wrong);

  const { failure: _resolved, ...rest } = goal;
  const next: Goal = {
    ...rest,
    status: event.atomic ? 'atomic' : 'decomposing',
    reasoning: event.reasoning ?? goal.reasoning,
    child_ids: event.sub_goals.map((child) => child.id),
    updated_at: event.at,
  };
  let grown = putGoal(plan, withUsage(next, event.usage));
  for (const child of event.sub_goals) grown = putGoal(grown, bornGoal(child, goal, event.at));
  if (event.sub_goals.length > 0 && goal.depth + 1 > grown.header.max_depth) {
    grown = { ...grown, header: { ...grown.header, max_depth: goal.depth + 1 } };
  }
  grown = completeAncestors(grown, event.sub_goals[0]?.id, event.at);
  return accept(settle(spend(grown, event), event));
}
