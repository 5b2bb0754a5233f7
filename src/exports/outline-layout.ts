import type { Plan } from '../plan/plan.js';
import { depthFirst } from '../plan/tree.js';
import type { PositionedGoal, WaveLayout } from './wave-layout.js';

/**
 * Places the goals of a plan one below the other, parents before children, each in the column of its depth: as high as the
 * plan is large, and as wide as it is deep.
 * @param heightOf how high a goal is, with the room below it
 */
export function outlineOf(plan: Plan, heightOf: (id: string) => number): WaveLayout {
  const goals: PositionedGoal[] = [];
  let bottom = 0;
  let columns = 1;
  for (const { goal } of depthFirst(plan)) {
    const height = heightOf(goal.id);
    goals.push({ id: goal.id, column: goal.depth, y: bottom + height / 2 });
    bottom += height;
    columns = Math.max(columns, goal.depth + 1);
  }
  return { goals, columns, height: bottom };
}
