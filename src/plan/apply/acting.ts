import type { EventStamp, PayloadOf } from '../events.js';
import { isWaiting, putGoal } from '../plan.js';
import type { Plan } from '../plan.js';
import { accept } from './applied.js';
import type { Applied, Refuse } from './applied.js';
import { settle } from './settle.js';
import { spend, withUsage } from './spend.js';

/** A goal that is not divided gets one more action plan; the file itself is the store's. */
export function linkActionPlan(
  plan: Plan,
  event: PayloadOf<'action_plan_linked'> & EventStamp,
  refuse: Refuse,
): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  if (goal.child_ids.length > 0 || isWaiting(goal))
    return refuse(`goal ${goal.id} is ${goal.status}; only an atomic goal has action plans`);
  const linked = goal.action_plans ?? [];
  if (linked.includes(event.action_plan))
    return refuse(`goal ${goal.id} has the action plan ${event.action_plan} already`);
  const next = { ...goal, action_plans: [...linked, event.action_plan], updated_at: event.at };
  return accept(settle(spend(putGoal(plan, withUsage(next, event.usage)), event), event));
}

/** Calls were made of which nothing else came. Never refused: what was spent was spent, also for a goal that is gone. */
export function addSpentUsage(plan: Plan, event: PayloadOf<'usage_added'> & EventStamp): Applied {
  const goal = event.goal === undefined ? undefined : plan.goals.get(event.goal);
  const next =
    goal === undefined || event.usage.calls === 0
      ? plan
      : putGoal(plan, withUsage({ ...goal, updated_at: event.at }, event.usage));
  return accept(settle(spend(next, event), event));
}
