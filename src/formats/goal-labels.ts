import type { Plan } from '../plan/plan.js';
import { depthFirst, shortName } from '../plan/tree.js';

/**
 * The deepest level that is shown as such: numbered, nested or indented. It is the most that the
 * `max_depth` setting allows; only an imported plan is deeper, and writing out what grows with every
 * level would make its size quadratic.
 */
export const DEEPEST_SHOWN = 64;

/**
 * What every goal is called in text, by id: its number (`1.2.3`), or the suffix of its id where it has none
 * (the root) or lies too deep. Commands find a goal by either.
 */
export function goalLabels(plan: Plan): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const { goal, number } of depthFirst(plan)) {
    const numbered = goal.depth > 0 && goal.depth <= DEEPEST_SHOWN;
    labels.set(goal.id, numbered ? number : shortName(goal));
  }
  return labels;
}
