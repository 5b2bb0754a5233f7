import { topologicalSort } from 'graphology-dag';

import { endOfGoal, startOfGoal, workGraph } from '../goal-graph.js';
import type { Plan } from '../plan.js';
import type { Goal } from '../schema.js';
import { depthFirst } from '../tree.js';
import { at } from '../readiness/work-order.js';

/** A dependency that others imply. */
export interface RedundantDependency {
  readonly goal: string;
  readonly depends_on: string;
  /** A way that implies it, from the goal to what it depends on. */
  readonly path: readonly string[];
}

/** The nodes of the work graph in topological order, by their ranks in it. */
interface Ranked {
  readonly goals: readonly Goal[];
  readonly startOf: (goal: string) => number;
  readonly endOf: (goal: string) => number;
  /** Of each node the goal that starts or ends there. */
  readonly goalAt: readonly string[];
  /** Of each node those that an edge leads to. */
  readonly next: readonly (readonly number[])[];
}

/** Dependencies that are looked at in one walk through the plan: more cost memory, fewer cost walks. */
const BLOCK = 1024;
const WORDS = BLOCK / 32;

/**
 * The dependencies of a plan without cycles that others imply, goals depth-first. All of them may be taken away at
 * once: what is implied by a longer way in a graph without cycles is implied by one that uses none of them.
 */
export function redundantDependencies(plan: Plan): readonly RedundantDependency[] {
  const ranked = rankedWork(plan);
  const needed = [...new Set(ranked.goals.flatMap(({ dependencies }) => dependencies))].filter((id) =>
    plan.goals.has(id),
  );
  const implied = new Map<string, Set<string>>();
  for (let from = 0; from < needed.length; from += BLOCK)
    addImplied(implied, needed.slice(from, from + BLOCK), ranked);
  const wayBetween = wayFinder(ranked);
  return ranked.goals.flatMap(({ id, dependencies }) =>
    dependencies
      .filter((dependency) => implied.get(id)?.has(dependency) === true)
      .map((depends_on) => ({ goal: id, depends_on, path: wayBetween(depends_on, id) })),
  );
}

function rankedWork(plan: Plan): Ranked {
  const goals = Array.from(depthFirst(plan), ({ goal }) => goal);
  const graph = workGraph(plan);
  const order = topologicalSort(graph);
  const ranks = new Map(order.map((node, rank) => [node, rank]));
  const rankOf = (node: string) => ranks.get(node) ?? -1;
  const goalOfNode = new Map(
    goals.flatMap(({ id }) => [startOfGoal(id), endOfGoal(id)].map((node) => [node, id])),
  );
  return {
    goals,
    startOf: (goal) => rankOf(startOfGoal(goal)),
    endOf: (goal) => rankOf(endOfGoal(goal)),
    goalAt: order.map((node) => goalOfNode.get(node) ?? ''),
    next: order.map((node) => graph.mapOutNeighbors(node, rankOf)),
  };
}

/** Walks through the plan once, and notes which of some goals end before others begin by more than one step. */
function addImplied(
  implied: Map<string, Set<string>>,
  block: readonly string[],
  { goals, startOf, endOf, next }: Ranked,
): void {
  const bitOf = new Map(block.map((id, bit) => [id, bit]));
  const bitAt = new Map(block.map((id, bit) => [endOf(id), bit]));
  /** A set of bits for each node: what ends before it at all, and what does by more than one step. */
  const all = new Int32Array(next.length * WORDS);
  const far = new Int32Array(next.length * WORDS);
  for (const [node, targets] of next.entries()) {
    const bit = bitAt.get(node);
    for (const target of targets) {
      const after = target * WORDS;
      for (let word = 0; word < WORDS; word += 1) {
        const before = at(all, node * WORDS + word);
        all[after + word] = at(all, after + word) | before;
        far[after + word] = at(far, after + word) | before;
      }
      if (bit !== undefined) all[after + (bit >> 5)] = at(all, after + (bit >> 5)) | (1 << (bit & 31));
    }
  }
  for (const { id, dependencies } of goals) {
    for (const dependency of dependencies) {
      const bit = bitOf.get(dependency);
      if (bit === undefined) continue;
      if ((at(far, startOf(id) * WORDS + (bit >> 5)) & (1 << (bit & 31))) === 0) continue;
      implied.set(id, (implied.get(id) ?? new Set()).add(dependency));
    }
  }
}

/** Finds the shortest way of more than one step from the end of a goal to the start of another, told backward. */
function wayFinder({ startOf, endOf, goalAt, next }: Ranked) {
  const from = new Int32Array(next.length);
  const seen = new Int32Array(next.length);
  let search = 0;
  return (other: string, goal: string): readonly string[] => {
    search += 1;
    const [begin, end] = [endOf(other), startOf(goal)];
    const queue = [begin];
    for (let index = 0; index < queue.length && at(seen, end) !== search; index += 1) {
      const node = queue[index] ?? begin;
      for (const after of next[node] ?? []) {
        if (at(seen, after) === search || after > end) continue;
        if (node === begin && after === end) continue;
        seen[after] = search;
        from[after] = node;
        queue.push(after);
      }
    }
    const way: string[] = [];
    for (let node = end; node !== begin; node = at(from, node)) way.push(goalAt[node] ?? '');
    return withoutDetours([...way, other]);
  };
}

/** A way without what lies between two visits of one goal, as from its end through its parts to its start. */
function withoutDetours(way: readonly string[]): readonly string[] {
  const short: string[] = [];
  for (const goal of way) {
    const earlier = short.indexOf(goal);
    if (earlier !== -1) short.length = earlier;
    short.push(goal);
  }
  return short;
}
