import { replayHistory } from '../../../plan/history.js';
import type { Goal } from '../../../plan/schema.js';
import { ancestors } from '../../../plan/tree.js';
import type { PlanLog } from '../../../storage/plan-store.js';

/**
 * Returns the goals that somebody has moved out of a goal's part of a plan: they are planned where they stand now, and not
 * again where they came from.
 */
export async function movedOutOf(log: PlanLog, goal: Goal): Promise<readonly Goal[]> {
  const events = await log.events();
  if (!events.some(({ type }) => type === 'goal_moved')) return [];
  const moved = new Set<string>();
  for (const { event, before } of replayHistory(events))
    if (event.type === 'goal_moved' && before?.goals.get(event.goal)?.parent_id === goal.id)
      moved.add(event.goal);
  const isBelow = (each: Goal) => ancestors(log.plan, each).some(({ id }) => id === goal.id);
  return [...moved].flatMap((id) => {
    const there = log.plan.goals.get(id);
    return there === undefined || isBelow(there) ? [] : [there];
  });
}
