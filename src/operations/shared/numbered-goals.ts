import type { Plan } from '../../plan/plan.js';
import { goalStates } from '../../plan/readiness/goal-state.js';
import type { GoalState } from '../../plan/readiness/goal-state.js';
export { priorityInWords, PRIORITIES } from '../../plan/readiness/priorities.js';
export { STATUS_WORDS } from '../../plan/goal-in-words.js';
export { isLinkWaiting, planInWords } from '../../plan/readiness/plan-progress.js';
import type { Goal } from '../../plan/schema.js';
import { depthFirst, numbering, numberOf } from '../../plan/tree.js';

/** A goal of the file with its number in the tree added, where the root's is empty, and how it stands with it. */
export type GoalWithNumber = Goal & { readonly number: string; readonly state: GoalState };

/** Every goal of a plan with its number and its state at a moment, depth-first. */
export function numberedGoals(plan: Plan, at: string): readonly GoalWithNumber[] {
  const stateOf = goalStates(plan, at);
  return Array.from(depthFirst(plan), ({ goal, number }) => ({ ...goal, number, state: stateOf(goal) }));
}

/** Numbers goals of a plan, as many as there may be of one parent, with their states at a moment. */
export function withNumbers(plan: Plan, goals: readonly Goal[], at: string): readonly GoalWithNumber[] {
  const numberIn = numbering(plan);
  const stateOf = goalStates(plan, at);
  return goals.map((goal) => ({ ...goal, number: numberIn(goal), state: stateOf(goal) }));
}

/** A goal of a plan with its number and its state at a moment. */
export function withNumber(plan: Plan, goal: Goal, at: string): GoalWithNumber {
  return { ...goal, number: numberOf(plan, goal), state: goalStates(plan, at)(goal) };
}
