import type { PlanEvent } from '../../plan/events.js';
import type { NewGoal } from '../../plan/events/new-goal.js';
import { isWaiting } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { GoalJob } from '../team.js';
import { offeredJobs } from './offer-jobs.js';

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
  const offer = (goal: string, depth: number) => jobs.push({ plan: id, goal, turn: turnOf(plan, depth) });
  for (const event of events) {
    if (event.type === 'planning_started') {
      byWorkers = event.run.workers === true;
      if (byWorkers) for (const goal of plan.goals.values()) if (isWaiting(goal)) offer(goal.id, goal.depth);
    } else if (byWorkers) {
      for (const { goal, depth } of openedBy(event, plan)) offer(goal, depth);
    }
  }
  return jobs.length === 0 ? null : offeredJobs(jobs);
}

/** When a goal is taken: level by level, or the deepest first. */
export function turnOf({ header }: Plan, depth: number): number {
  return header.settings?.order === 'depth' ? Math.max(0, header.settings.max_depth - depth) : depth;
}

/** The goals that wait because of an event; others than the common ones are found when the frontier is swept. */
function openedBy(
  event: PlanEvent,
  plan: Plan,
): readonly { readonly goal: string; readonly depth: number }[] {
  const depthOf = (goal: string) => plan.goals.get(goal)?.depth ?? 0;
  const open = (goals: readonly NewGoal[], parent: string) =>
    goals.filter(({ atomic }) => atomic !== true).map(({ id }) => ({ goal: id, depth: depthOf(parent) + 1 }));
  switch (event.type) {
    case 'goal_expanded':
    case 'goal_replanned':
      return open(event.sub_goals, event.goal);
    case 'goals_added':
      return open(event.sub_goals, event.parent);
    case 'goal_reopened':
    case 'expansion_rolled_back':
      return [{ goal: event.goal, depth: depthOf(event.goal) }];
    default:
      return [];
  }
}
