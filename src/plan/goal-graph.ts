import { DirectedGraph, MultiDirectedGraph } from 'graphology';

import type { Plan } from './plan.js';
import { depthFirst } from './tree.js';

/** Why an edge is there: a goal is a part of another, or waits for it. */
export type EdgeKind = 'child' | 'dependency';

/**
 * The goals of a plan as a graph, for exports and for whoever analyses the whole: an edge from parent to child, and one
 * from each dependency to the goal that waits for it. Nodes and edges come depth-first, edges by the goal they lead to.
 */
export function goalGraph(
  plan: Plan,
): MultiDirectedGraph<{ readonly number: string }, { readonly kind: EdgeKind }> {
  const graph = new MultiDirectedGraph<{ readonly number: string }, { readonly kind: EdgeKind }>();
  for (const { goal, number } of depthFirst(plan)) graph.addNode(goal.id, { number });
  for (const { goal } of depthFirst(plan)) {
    if (goal.parent_id !== null) graph.addEdge(goal.parent_id, goal.id, { kind: 'child' });
    for (const dependency of new Set(goal.dependencies))
      if (graph.hasNode(dependency)) graph.addEdge(dependency, goal.id, { kind: 'dependency' });
  }
  return graph;
}

/** The node of {@link workGraph} at which a goal starts. */
export const startOfGoal = (goal: string) => `start of ${goal}`;
/** The node of {@link workGraph} at which a goal ends. */
export const endOfGoal = (goal: string) => `end of ${goal}`;

/**
 * What comes before what when a plan is worked off, as if nothing were complete. A goal has two nodes; a composite starts
 * before its children and ends after them, and what a goal depends on ends before it starts. What commands that must be
 * quick ask of the same graph, they ask of `workOrder`, which has it in whole numbers.
 */
export function workGraph(plan: Plan): DirectedGraph {
  const graph = new DirectedGraph();
  const goals = Array.from(depthFirst(plan), ({ goal }) => goal);
  for (const { id } of goals) {
    graph.addNode(startOfGoal(id));
    graph.addNode(endOfGoal(id));
  }
  for (const { id, child_ids, dependencies } of goals) {
    if (child_ids.length === 0) graph.addEdge(startOfGoal(id), endOfGoal(id));
    for (const child of child_ids) {
      graph.addEdge(startOfGoal(id), startOfGoal(child));
      graph.addEdge(endOfGoal(child), endOfGoal(id));
    }
    for (const dependency of dependencies)
      if (plan.goals.has(dependency)) graph.mergeEdge(endOfGoal(dependency), startOfGoal(id));
  }
  return graph;
}
