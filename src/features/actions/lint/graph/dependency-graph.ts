import { stronglyConnected } from '../../../../kernel/strongly-connected.js';
import type { Arrows } from '../../../../kernel/strongly-connected.js';
import type { Link } from './links.js';
import type { Scope, ScopedStep } from '../../model/scopes.js';

/** Who needs whom among the steps of a scope, declared or by reference; what nested plans need, the steps need that they are. */
export interface DependencyGraph {
  readonly scope: Scope;
  /** Whether two steps need each other, directly or by way of others. */
  inOneLoop(a: ScopedStep, b: ScopedStep): boolean;
  /** One loop for each group of steps that need each other: its steps in order, the first again at the end. */
  readonly loops: readonly (readonly ScopedStep[])[];
}

/** The graph of a scope, whose nodes are the places of its steps. @param links those that lead to steps of the scope */
export function dependencyGraph(scope: Scope, links: readonly Link[]): DependencyGraph {
  const arrows = arrowsOf(scope, links);
  const component = stronglyConnected(arrows);
  const loops = [...membersOf(component).values()]
    .filter((nodes) => nodes.length > 1 || nodes.some((node) => targetsOf(node, arrows).includes(node)))
    .map((nodes) => shortestLoop(nodes, arrows, component))
    .toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  return {
    scope,
    inOneLoop: (a, b) => a.scope === scope && b.scope === scope && component[a.order] === component[b.order],
    loops: loops.map((loop) => loop.flatMap((node) => scope.steps[node] ?? [])),
  };
}

/** Who needs whom, in order. In whole numbers: a plan can have millions of links. */
function arrowsOf(scope: Scope, links: readonly Link[]): Arrows {
  const first = new Int32Array(scope.steps.length + 1);
  const sources = new Int32Array(links.length).fill(-1);
  for (const [index, { from, to }] of links.entries()) {
    const source = to === null ? null : within(from, scope);
    if (source === null) continue;
    sources[index] = source.order;
    first[source.order + 1] = (first[source.order + 1] ?? 0) + 1;
  }
  for (let node = 1; node < first.length; node += 1)
    first[node] = (first[node] ?? 0) + (first[node - 1] ?? 0);
  const free = first.slice();
  const next = new Int32Array(first.at(-1) ?? 0);
  for (const [index, { to }] of links.entries()) {
    const source = sources[index] ?? -1;
    if (source < 0 || to === null) continue;
    const slot = free[source] ?? 0;
    free[source] = slot + 1;
    next[slot] = to.order;
  }
  return { first, next };
}

function targetsOf(node: number, { first, next }: Arrows): Int32Array {
  return next.subarray(first[node], first[node + 1]);
}

/** The step of the scope that a step is, or is nested in. */
function within(step: ScopedStep, scope: Scope): ScopedStep | null {
  let at: ScopedStep | null = step;
  while (at !== null && at.scope !== scope) at = at.scope.owner;
  return at;
}

function membersOf(component: Int32Array): ReadonlyMap<number, readonly number[]> {
  const members = new Map<number, number[]>();
  for (const [node, number] of component.entries()) {
    const known = members.get(number);
    if (known === undefined) members.set(number, [node]);
    else known.push(node);
  }
  return members;
}

/** The shortest way from the first step of a component back to it. */
function shortestLoop(nodes: readonly number[], arrows: Arrows, component: Int32Array): readonly number[] {
  const first = nodes[0] ?? 0;
  const cameFrom = new Map<number, number>();
  const queue = [first];
  for (const node of queue) {
    for (const target of targetsOf(node, arrows)) {
      if (target === first) return pathTo(node, cameFrom, first);
      if (component[target] !== component[first] || cameFrom.has(target)) continue;
      cameFrom.set(target, node);
      queue.push(target);
    }
  }
  return [first, first];
}

function pathTo(last: number, cameFrom: ReadonlyMap<number, number>, first: number): readonly number[] {
  const path = [first];
  for (let node: number | undefined = last; node !== undefined && node !== first; node = cameFrom.get(node))
    path.push(node);
  return [...path, first].toReversed();
}
