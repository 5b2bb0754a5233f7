import { DirectedGraph } from 'graphology';

import type { Link } from './links.js';
import type { Scope, ScopedStep } from '../../model/scopes.js';
import { strongComponents } from './strong-components.js';

/** Who needs whom among the steps of a scope, declared or by reference; what nested plans need, the steps need that they are. */
export interface DependencyGraph {
  readonly scope: Scope;
  /** Whether two steps need each other, directly or by way of others. */
  inOneLoop(a: ScopedStep, b: ScopedStep): boolean;
  /** One loop for each group of steps that need each other: its steps in order, the first again at the end. */
  readonly loops: readonly (readonly ScopedStep[])[];
}

/** The graph of a scope. @param links those that lead to steps of the scope */
export function dependencyGraph(scope: Scope, links: readonly Link[]): DependencyGraph {
  const graph = new DirectedGraph();
  for (const { order } of scope.steps) graph.addNode(nodeOf(order));
  for (const { from, to } of links) {
    const source = to === null ? null : within(from, scope);
    if (source !== null && to !== null) graph.mergeEdge(nodeOf(source.order), nodeOf(to.order));
  }
  const component = strongComponents(graph);
  const members = membersOf(graph, component);
  const loops = [...members.values()]
    .filter((nodes) => nodes.length > 1 || nodes.some((node) => graph.hasEdge(node, node)))
    .map((nodes) => shortestLoop(nodes, graph, component).map(orderOf))
    .toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  return {
    scope,
    inOneLoop: (a, b) =>
      a.scope === scope &&
      b.scope === scope &&
      component.get(nodeOf(a.order)) === component.get(nodeOf(b.order)),
    loops: loops.map((loop) => loop.flatMap((node) => scope.steps[node] ?? [])),
  };
}

/** The step of the scope that a step is, or is nested in. */
function within(step: ScopedStep, scope: Scope): ScopedStep | null {
  let at: ScopedStep | null = step;
  while (at !== null && at.scope !== scope) at = at.scope.owner;
  return at;
}

function membersOf(
  graph: DirectedGraph,
  component: ReadonlyMap<string, number>,
): ReadonlyMap<number, readonly string[]> {
  const members = new Map<number, string[]>();
  for (const node of graph.nodes()) {
    const number = component.get(node) ?? 0;
    const known = members.get(number);
    if (known === undefined) members.set(number, [node]);
    else known.push(node);
  }
  return members;
}

// A graph lists neighbours that are called like whole numbers by size, others as they were added.
const nodeOf = (order: number) => `step ${order}`;
const orderOf = (node: string) => Number(node.slice('step '.length));

/** The shortest way from the first step of a component back to it. */
function shortestLoop(
  nodes: readonly string[],
  graph: DirectedGraph,
  component: ReadonlyMap<string, number>,
): readonly string[] {
  const first = nodes[0] ?? '';
  const cameFrom = new Map<string, string>();
  const queue = [first];
  for (const node of queue) {
    for (const target of graph.outNeighbors(node)) {
      if (target === first) return pathTo(node, cameFrom, first);
      if (component.get(target) !== component.get(first) || cameFrom.has(target)) continue;
      cameFrom.set(target, node);
      queue.push(target);
    }
  }
  return [first, first];
}

function pathTo(last: string, cameFrom: ReadonlyMap<string, string>, first: string): readonly string[] {
  const path = [first];
  for (let node: string | undefined = last; node !== undefined && node !== first; node = cameFrom.get(node))
    path.push(node);
  return [...path, first].toReversed();
}
