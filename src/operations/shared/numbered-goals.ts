import type { Plan } from '../../plan/plan.js';
export type { GoalState } from '../../plan/readiness/goal-state.js';
export { priorityInWords } from '../../plan/readiness/priorities.js';
export { planInWords, STATUS_WORDS } from '../../plan/goal-in-words.js';
import type { Goal } from '../../plan/schema.js';
import { depthFirst, numbering, numberOf } from '../../plan/tree.js';

/** A goal of the file with its number in the tree added; the root's is empty. */
export type GoalWithNumber = Goal & { readonly number: string };

/** Every goal of a plan with its number, depth-first. */
export function numberedGoals(plan: Plan): readonly GoalWithNumber[] {
  return Array.from(depthFirst(plan), ({ goal, number }) => ({ ...goal, number }));
}

/** Numbers goals of a plan, as many as there may be of one parent. */
export function withNumbers(plan: Plan, goals: readonly Goal[]): readonly GoalWithNumber[] {
  const numberIn = numbering(plan);
  return goals.map((goal) => ({ ...goal, number: numberIn(goal) }));
}

/** A goal of a plan with its number. */
export function withNumber(plan: Plan, goal: Goal): GoalWithNumber {
  return { ...goal, number: numberOf(plan, goal) };
}
