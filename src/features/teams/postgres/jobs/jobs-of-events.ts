import type { PlanEvent } from '../../../../plan/events.js';
import { goalTurn, openedGoals } from '../../../../plan/opened-goals.js';
import { isWaiting } from '../../../../plan/plan.js';
import type { Plan } from '../../../../plan/plan.js';
import type { GoalJob } from '../../team.js';
import { jobsAsJson } from './enqueue-jobs.js';

/**
 * The jobs that events make necessary while workers plan a plan, to be entered in the statement that appends them; null
 * where there are none. An event that is refused then leaves jobs for goals that are not there, which end at once.
 * @param plan the plan as it was last read
 */
export function jobsOf(plan: Plan | null, events: readonly PlanEvent[]): string | null {
  if (plan === null) return null;
  const { id } = plan.header;
  const jobs: GoalJob[] = [];
  let byWorkers = plan.header.run?.workers === true;
  const offer = (goal: string, depth: number) => jobs.push({ plan: id, goal, turn: goalTurn(plan, depth) });
  for (const event of events) {
    if (event.type === 'planning_started') {
      byWorkers = event.run.workers === true;
      if (byWorkers) for (const goal of plan.goals.values()) if (isWaiting(goal)) offer(goal.id, goal.depth);
    } else if (byWorkers) {
      for (const { goal, depth } of openedGoals(event, plan)) offer(goal, depth);
    }
  }
  return jobs.length === 0 ? null : jobsAsJson(jobs);
}
