import { DirectedGraph } from 'graphology';
import { topologicalGenerations } from 'graphology-dag';

import { goalOf, rootOf } from './plan.js';
import type { Plan } from './plan.js';
import { ancestors, depthFirst } from './tree.js';
import type { Goal } from './schema.js';

/**
 * The order of work as a directed graph. Each goal is a span with a start and an end, and an arrow says
 * "before". A composite starts before its children and ends after them, so one arrow from the end of a
 * dependency to the start of its dependent carries every meaning: a dependency on a composite is one on
 * all its leaves, and a goal waits for its ancestors' dependencies too. Size is linear in goals and
 * dependencies, where arrows between leaves could be quadratic.
 */
export type DependencyGraph = DirectedGraph;

/** Builds the graph of a plan. Dependencies on goals that do not exist are left out. */
export function dependencyGraph(plan: Plan): DependencyGraph {
  const graph = new DirectedGraph({ allowSelfLoops: true });
  for (const goal of plan.goals.values()) {
    graph.addNode(startOf(goal.id));
    graph.addNode(endOf(goal.id));
  }
  for (const goal of plan.goals.values()) {
    if (goal.child_ids.length === 0) graph.mergeEdge(startOf(goal.id), endOf(goal.id));
    for (const child of goal.child_ids) {
      graph.mergeEdge(startOf(goal.id), startOf(child));
      graph.mergeEdge(endOf(child), endOf(goal.id));
    }
    for (const dependency of goal.dependencies) {
      if (plan.goals.has(dependency)) graph.mergeEdge(endOf(dependency), startOf(goal.id));
    }
  }
  return graph;
}

/** A cycle of goals that wait for each other, first goal repeated at the end, or null. */
export function findDependencyCycle(graph: DependencyGraph): readonly string[] | null {
  const cycle = findCycle(graph.nodes(), (node) => graph.outNeighbors(node));
  if (cycle === null) return null;
  const goals = cycle.map(goalOfNode).filter((id, index, all) => id !== all[index - 1]);
  return goals.toReversed();
}

/**
 * A cycle that some goals are on, first goal repeated at the end, or null. Walks only what comes before those
 * goals, so that a change of a large plan is checked at the cost of what it touches. In a plan that had no
 * cycle, every new one leads through a goal that gained a dependency, a parent or a child.
 */
export function findCycleThrough(plan: Plan, goals: readonly string[]): readonly string[] | null {
  const cycle = findCycle(
    goals.flatMap((id) => [endOf(id), startOf(id)]),
    (node) => nodesBefore(plan, node),
  );
  if (cycle === null) return null;
  return cycle.map(goalOfNode).filter((id, index, all) => id !== all[index - 1]);
}

/** The incomplete goals that a goal waits for: its own dependencies, then those of the goals above it. */
export function waitingFor(plan: Plan, goal: Goal): readonly string[] {
  const all = [goal, ...ancestors(plan, goal).toReversed()].flatMap(({ dependencies }) => dependencies);
  return [...new Set(all)].filter((id) => plan.goals.get(id)?.status !== 'complete');
}

/** A goal that cannot start, and the incomplete goals it waits for. */
interface BlockedGoal {
  readonly goal: Goal;
  readonly waitingFor: readonly string[];
}

/** The unfinished atomic goals: those whose own and inherited dependencies are complete, and those that wait. Depth-first order. */
export function goalsToDo(plan: Plan): {
  readonly ready: readonly Goal[];
  readonly blocked: readonly BlockedGoal[];
} {
  const leaves = leavesToDo(plan);
  return {
    ready: leaves.filter(({ waitingFor }) => waitingFor.length === 0).map(({ goal }) => goal),
    blocked: leaves.filter(({ waitingFor }) => waitingFor.length > 0),
  };
}

/** The unfinished leaves wave by wave: all of a wave can be done in parallel once those before are done. */
export function waves(
  plan: Plan,
  graph: DependencyGraph = dependencyGraph(plan),
): readonly (readonly string[])[] {
  return topologicalGenerations(graph)
    .map((generation) => generation.filter((node) => node.startsWith('>')).map(goalOfNode))
    .map((ids) => ids.filter((id) => isUnfinishedLeaf(goalOf(plan, id))))
    .filter((wave) => wave.length > 0);
}

/** The longest chain of unfinished leaves that must follow each other, in order; every leaf counts 1. */
export function criticalPath(plan: Plan, graph: DependencyGraph = dependencyGraph(plan)): readonly string[] {
  const best = new Map<string, { readonly length: number; readonly from: string | null }>();
  for (const node of topologicalGenerations(graph).flat()) {
    let from: string | null = null;
    let length = 0;
    for (const before of graph.inNeighbors(node)) {
      const candidate = best.get(before)?.length ?? 0;
      if (from === null || candidate > length) [from, length] = [before, candidate];
    }
    best.set(node, { length: length + (weightOf(plan, node) ? 1 : 0), from });
  }
  const path: string[] = [];
  for (let node: string | null = endOf(rootOf(plan).id); node !== null; node = best.get(node)?.from ?? null) {
    if (weightOf(plan, node)) path.push(goalOfNode(node));
  }
  return path.toReversed();
}

/**
 * A cycle in any directed graph, as the path around it with its first node repeated, or null.
 * Iterative, so that a chain of any length is walked.
 */
export function findCycle(
  nodes: readonly string[],
  next: (node: string) => readonly string[],
): readonly string[] | null {
  const finished = new Set<string>();
  for (const origin of nodes) {
    if (finished.has(origin)) continue;
    const path: { readonly node: string; readonly neighbors: Iterator<string> }[] = [];
    const onPath = new Set<string>();
    const enter = (node: string) => {
      onPath.add(node);
      path.push({ node, neighbors: next(node)[Symbol.iterator]() });
    };
    enter(origin);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const step = top.neighbors.next();
      if (step.done === true) {
        finished.add(top.node);
        onPath.delete(top.node);
        path.pop();
      } else if (onPath.has(step.value)) {
        const start = path.findIndex(({ node }) => node === step.value);
        return [...path.slice(start).map(({ node }) => node), step.value];
      } else if (!finished.has(step.value)) {
        enter(step.value);
      }
    }
  }
  return null;
}

function leavesToDo(plan: Plan): { goal: Goal; waitingFor: readonly string[] }[] {
  const inherited = new Map<string, readonly string[]>();
  const found: { goal: Goal; waitingFor: readonly string[] }[] = [];
  for (const { goal } of depthFirst(plan)) {
    const own = goal.dependencies.filter((id) => plan.goals.get(id)?.status !== 'complete');
    const above = goal.parent_id === null ? [] : (inherited.get(goal.parent_id) ?? []);
    const waitingFor = own.length === 0 ? above : [...new Set([...own, ...above])];
    if (goal.child_ids.length > 0) inherited.set(goal.id, waitingFor);
    else if (goal.status === 'atomic') found.push({ goal, waitingFor });
  }
  return found;
}

/** The arrows of {@link dependencyGraph} that lead to a node, without making the graph. */
function nodesBefore(plan: Plan, node: string): readonly string[] {
  const goal = plan.goals.get(goalOfNode(node));
  if (goal === undefined) return [];
  if (node === endOf(goal.id)) {
    return goal.child_ids.length === 0 ? [startOf(goal.id)] : goal.child_ids.map((child) => endOf(child));
  }
  const needed = goal.dependencies.map((dependency) => endOf(dependency));
  return goal.parent_id === null ? needed : [startOf(goal.parent_id), ...needed];
}

function isUnfinishedLeaf(goal: Goal): boolean {
  return goal.child_ids.length === 0 && goal.status !== 'complete';
}

function weightOf(plan: Plan, node: string): boolean {
  return node.startsWith('>') && isUnfinishedLeaf(goalOf(plan, goalOfNode(node)));
}

const startOf = (id: string) => `>${id}`;
const endOf = (id: string) => `<${id}`;
const goalOfNode = (node: string) => node.slice(1);
