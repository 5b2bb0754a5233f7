import type { Plan } from '../plan.js';
import { at, endNode, startNode, workOrder } from './work-order.js';
import type { WorkOrder } from './work-order.js';

/** A dependency that others imply. */
export interface RedundantDependency {
  readonly goal: string;
  readonly depends_on: string;
  /** A way that implies it, from the goal to what it depends on. */
  readonly path: readonly string[];
}

/** Dependencies that are looked at in one walk through the plan: more cost memory, fewer cost walks. */
const BLOCK = 1024;
const WORDS = BLOCK / 32;

/**
 * The dependencies of a plan without circles that others imply, goals depth-first. All of them may be taken away at
 * once: what is implied by a longer way in a graph without circles is implied by one that uses none of them.
 */
export function redundantDependencies(plan: Plan): readonly RedundantDependency[] {
  const work = workOrder(plan, 'every');
  const places = new Map(work.goals.map(({ goal }, place) => [goal.id, place]));
  const needed = [...new Set(work.goals.flatMap(({ goal }) => goal.dependencies))].flatMap(
    (id) => places.get(id) ?? [],
  );
  const implied = new Map<number, Set<number>>();
  for (let from = 0; from < needed.length; from += BLOCK)
    addImplied(implied, needed.slice(from, from + BLOCK), work, places);
  const wayBetween = wayFinder(work);
  return [...implied.keys()]
    .toSorted((a, b) => a - b)
    .flatMap((place) => {
      const goal = work.goals[place]?.goal;
      const dependencies = goal?.dependencies ?? [];
      return dependencies.flatMap((depends_on) => {
        const other = places.get(depends_on) ?? -1;
        if (goal === undefined || implied.get(place)?.has(other) !== true) return [];
        return [{ goal: goal.id, depends_on, path: wayBetween(other, place) }];
      });
    });
}

/** Walks through the plan once, and notes which of some goals end before others begin by more than one step. */
function addImplied(
  implied: Map<number, Set<number>>,
  block: readonly number[],
  { goals, order, first, next }: WorkOrder,
  places: ReadonlyMap<string, number>,
): void {
  const bitOf = new Map(block.map((place, bit) => [place, bit]));
  /** A set of bits for each node: what ends before it at all, and what does by more than one step. */
  const all = new Int32Array(2 * goals.length * WORDS);
  const far = new Int32Array(2 * goals.length * WORDS);
  for (const node of order) {
    const place = Math.floor(node / 2);
    const bit = node === endNode(place) ? bitOf.get(place) : undefined;
    for (let arrow = at(first, node); arrow < at(first, node + 1); arrow += 1) {
      const after = at(next, arrow) * WORDS;
      for (let word = 0; word < WORDS; word += 1) {
        const before = at(all, node * WORDS + word);
        all[after + word] = at(all, after + word) | before;
        far[after + word] = at(far, after + word) | before;
      }
      if (bit !== undefined) all[after + (bit >> 5)] = at(all, after + (bit >> 5)) | (1 << (bit & 31));
    }
  }
  for (const [place, { goal }] of goals.entries()) {
    for (const id of goal.dependencies) {
      const other = places.get(id) ?? -1;
      const bit = bitOf.get(other);
      if (bit === undefined) continue;
      if ((at(far, startNode(place) * WORDS + (bit >> 5)) & (1 << (bit & 31))) === 0) continue;
      implied.set(place, (implied.get(place) ?? new Set()).add(other));
    }
  }
}

/** Finds the shortest way of more than one step from the end of a goal to the start of another, told backward. */
function wayFinder({ goals, order, first, next }: WorkOrder) {
  const rank = new Int32Array(2 * goals.length);
  for (const [index, node] of order.entries()) rank[node] = index;
  const from = new Int32Array(2 * goals.length);
  const seen = new Int32Array(2 * goals.length);
  let search = 0;
  return (other: number, place: number): readonly string[] => {
    search += 1;
    const [begin, end] = [endNode(other), startNode(place)];
    const queue = [begin];
    for (let index = 0; index < queue.length && at(seen, end) !== search; index += 1) {
      const node = queue[index] ?? begin;
      for (let arrow = at(first, node); arrow < at(first, node + 1); arrow += 1) {
        const after = at(next, arrow);
        if (at(seen, after) === search || at(rank, after) > at(rank, end)) continue;
        if (node === begin && after === end) continue;
        seen[after] = search;
        from[after] = node;
        queue.push(after);
      }
    }
    const way: number[] = [];
    for (let node = end; node !== begin; node = at(from, node)) way.push(Math.floor(node / 2));
    return withoutDetours([...way, other]).map((one) => goals[one]?.goal.id ?? '');
  };
}

/** A way without what lies between two visits of one goal, as from its end through its parts to its start. */
function withoutDetours(way: readonly number[]): readonly number[] {
  const short: number[] = [];
  for (const place of way) {
    const earlier = short.indexOf(place);
    if (earlier !== -1) short.length = earlier;
    short.push(place);
  }
  return short;
}
