import type { NewGoal } from '../events/new-goal.js';
import type { Plan } from '../plan.js';

/** A goal that waits to be expanded, and how deep it lies. */
export interface OpenedGoal {
  readonly goal: string;
  readonly depth: number;
}

/** Those of new goals below a goal that wait to be expanded. */
export function goalsBelow(goals: readonly NewGoal[], parent: string, plan: Plan): readonly OpenedGoal[] {
  const depth = depthOf(parent, plan) + 1;
  return goals.filter(({ atomic }) => atomic !== true).map(({ id }) => ({ goal: id, depth }));
}

/** How deep a goal lies; 0 where there is none. */
export function depthOf(goal: string, plan: Plan): number {
  return plan.goals.get(goal)?.depth ?? 0;
}
