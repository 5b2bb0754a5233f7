import type { Link } from './links.js';
import type { Scope, ScopedStep } from '../../scopes.js';
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
  const next: number[][] = scope.steps.map(() => []);
  for (const { from, to } of links) {
    if (to === null) continue;
    const source = within(from, scope);
    if (source !== null) next[source.order]?.push(to.order);
  }
  const component = strongComponents(next.length, (node) => next[node] ?? []);
  const members = new Map<number, number[]>();
  for (const [node, number] of component.entries()) {
    const known = members.get(number);
    if (known === undefined) members.set(number, [node]);
    else known.push(node);
  }
  const loops = [...members.values()]
    .filter((nodes) => nodes.length > 1 || nodes.some((node) => next[node]?.includes(node) === true))
    .map((nodes) => shortestLoop(nodes, next, component))
    .toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  return {
    scope,
    inOneLoop: (a, b) => a.scope === scope && b.scope === scope && component[a.order] === component[b.order],
    loops: loops.map((loop) => loop.flatMap((node) => scope.steps[node] ?? [])),
  };
}

/** The step of the scope that a step is, or is nested in. */
function within(step: ScopedStep, scope: Scope): ScopedStep | null {
  let at: ScopedStep | null = step;
  while (at !== null && at.scope !== scope) at = at.scope.owner;
  return at;
}

/** The shortest way from the first step of a component back to it. */
function shortestLoop(
  nodes: readonly number[],
  next: readonly (readonly number[])[],
  component: readonly number[],
): readonly number[] {
  const first = nodes[0] ?? 0;
  const cameFrom = new Map<number, number>();
  const queue = [first];
  for (const node of queue) {
    for (const target of next[node] ?? []) {
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
