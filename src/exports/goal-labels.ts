import type { Plan } from '../plan/plan.js';
import { goalSuffix } from '../plan/ids.js';
import { depthFirst } from '../plan/tree.js';
import type { NumberedGoal } from '../plan/tree.js';

/**
 * The deepest level that is shown as such: numbered, nested or indented. It is the most that the
 * `max_depth` setting allows; only an imported plan is deeper, and writing out what grows with every
 * level would make its size quadratic.
 */
export const DEEPEST_SHOWN = 64;

/** What every goal is called, by its id. */
export type GoalLabels = ReadonlyMap<string, string>;

/**
 * What every goal is called in text: its number (`1.2.3`), or the suffix of its id where no number is shown.
 * Commands find a goal by either.
 */
export function goalLabels(plan: Plan): GoalLabels {
  const labels = new Map<string, string>();
  for (const numbered of depthFirst(plan)) {
    labels.set(numbered.goal.id, goalNumberLabel(numbered) ?? goalSuffix(numbered.goal.id));
  }
  return labels;
}

/** The number of a goal, or null for the root and for goals below the deepest level shown. */
export function goalNumberLabel({ goal, number }: NumberedGoal): string | null {
  return goal.depth > 0 && goal.depth <= DEEPEST_SHOWN ? number : null;
}
