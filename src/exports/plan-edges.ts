import type { Plan } from '../plan/plan.js';
import { depthFirst } from '../plan/tree.js';

/** An arrow of the plan's graph: from parent to child, or from a dependency to the goal that waits for it. */
export interface PlanEdge {
  readonly kind: 'child' | 'dependency';
  readonly from: string;
  readonly to: string;
}

/** Every edge once, by the goal it leads to, depth-first. Both ends are goals of the plan. */
export function* planEdges(plan: Plan): Generator<PlanEdge> {
  for (const { goal } of depthFirst(plan)) {
    if (goal.parent_id !== null) yield { kind: 'child', from: goal.parent_id, to: goal.id };
    for (const dependency of new Set(goal.dependencies)) {
      if (plan.goals.has(dependency)) yield { kind: 'dependency', from: dependency, to: goal.id };
    }
  }
}
