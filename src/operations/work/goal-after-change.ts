import { goalOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { withNumber } from '../shared/numbered-goals.js';
import type { GoalWithNumber } from '../shared/numbered-goals.js';

/**
 * A goal after an accepted change of it, with its number: as it is now, or, where another process has taken it
 * away since, as the change left it.
 * @param now the plan as it was read last
 * @param after the plan just after the change, which has the goal
 * @param at the time of its state
 */
export function goalAfter(now: Plan, after: Plan, id: string, at: string): GoalWithNumber {
  const plan = now.goals.has(id) ? now : after;
  return withNumber(plan, goalOf(plan, id), at);
}
