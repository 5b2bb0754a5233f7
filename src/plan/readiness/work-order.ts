import { goalOf, rootOf } from '../plan.js';
import type { Plan } from '../plan.js';
import type { Goal } from '../schema.js';
import { childNumber } from '../tree.js';
import type { NumberedGoal } from '../tree.js';

/**
 * The order of work as a graph of whole numbers, for questions about the whole of a large plan. A goal is its
 * index in depth-first order, and has two nodes: {@link startNode} and {@link endNode}. An arrow says
 * "before": a composite starts before its children and ends after them, and what a goal depends on ends
 * before it starts. So one arrow carries every meaning of a dependency: one on a composite is one on all its
 * leaves, and a goal waits for what the goals above it depend on too.
 */
export interface WorkOrder {
  readonly goals: readonly NumberedGoal[];
  /** 1 for a leaf that is not complete. */
  readonly isOpen: Uint8Array;
  /** The index of the goal above each; -1 for the root. */
  readonly parents: Int32Array;
  /** Every node after those before it. Nodes of goals that wait for each other in a circle are missing. */
  readonly order: Int32Array;
  /** The nodes after node `n` are `next[first[n]]` up to, but without, `next[first[n + 1]]`. */
  readonly first: Int32Array;
  readonly next: Int32Array;
}

/** The node of the work order at which the goal at an index starts. */
export const startNode = (goalIndex: number) => 2 * goalIndex;
/** The node of the work order at which the goal at an index ends. */
export const endNode = (goalIndex: number) => 2 * goalIndex + 1;

/**
 * Builds the order of work of a plan, in time linear in its goals and dependencies.
 * @param dependencies `unfinished`: what is complete waits for nothing and holds nothing up; `every`: as if
 *   nothing were complete
 */
export function workOrder(plan: Plan, dependencies: 'unfinished' | 'every' = 'unfinished'): WorkOrder {
  const tree = treeOf(plan);
  const arrows = arrowsOf(tree, (goal) => dependencies === 'every' || goal.status !== 'complete');
  const { first, next } = sortedByOrigin(arrows);
  return { ...tree, first, next, order: topologicalOrder(first, next, arrows.entering) };
}

// A command asks once for the order of a plan, so that most of what follows runs before it is compiled: whole numbers in
// typed arrays and plain loops, for an iterator of entries makes an array of each, and a call costs more than what it does.
type Tree = Pick<WorkOrder, 'goals' | 'isOpen' | 'parents'>;

/** The goals depth-first, as `depthFirst` has them. */
function treeOf(plan: Plan): Tree {
  const size = plan.goals.size;
  const goals: NumberedGoal[] = [];
  const isOpen = new Uint8Array(size);
  const parents = new Int32Array(size).fill(-1);
  const stack: NumberedGoal[] = [{ goal: rootOf(plan), number: '' }];
  const above = [-1];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const goalIndex = goals.length;
    const { child_ids: children, status } = top.goal;
    parents[goalIndex] = above.pop() ?? -1;
    isOpen[goalIndex] = children.length === 0 && status !== 'complete' ? 1 : 0;
    goals.push(top);
    for (let index = children.length - 1; index >= 0; index -= 1) {
      stack.push({ goal: goalOf(plan, children[index] ?? ''), number: childNumber(top.number, index) });
      above.push(goalIndex);
    }
  }
  return { goals, isOpen, parents };
}

interface Arrows {
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** How many leave each node. */
  readonly leaving: Int32Array;
  /** How many lead to each node. */
  readonly entering: Int32Array;
}

function arrowsOf({ goals, parents }: Tree, counts: (goal: Goal) => boolean): Arrows {
  const goalIndexes = new Map<string, number>();
  let most = 3 * goals.length;
  for (const { goal } of goals) {
    goalIndexes.set(goal.id, goalIndexes.size);
    most += goal.dependencies.length;
  }
  const from = new Int32Array(most);
  const to = new Int32Array(most);
  const leaving = new Int32Array(2 * goals.length);
  const entering = new Int32Array(2 * goals.length);
  let count = 0;
  const add = (before: number, after: number) => {
    from[count] = before;
    to[count] = after;
    leaving[before] = (leaving[before] ?? 0) + 1;
    entering[after] = (entering[after] ?? 0) + 1;
    count += 1;
  };
  for (let goalIndex = 0; goalIndex < goals.length; goalIndex += 1) {
    const goal = goals[goalIndex]?.goal;
    if (goal === undefined) break;
    const parent = parents[goalIndex] ?? -1;
    if (goal.child_ids.length === 0) add(startNode(goalIndex), endNode(goalIndex));
    if (parent >= 0) {
      add(startNode(parent), startNode(goalIndex));
      add(endNode(goalIndex), endNode(parent));
    }
    if (goal.dependencies.length === 0 || !counts(goal)) continue;
    for (const id of goal.dependencies) {
      const needed = goalIndexes.get(id) ?? -1;
      const before = goals[needed]?.goal;
      if (before !== undefined && counts(before)) add(endNode(needed), startNode(goalIndex));
    }
  }
  return { count, from, to, leaving, entering };
}

/** Arrows in one list, those of a node together. */
function sortedByOrigin({ count, from, to, leaving }: Arrows): Pick<WorkOrder, 'first' | 'next'> {
  const nodes = leaving.length;
  const first = new Int32Array(nodes + 1);
  let before = 0;
  for (let node = 0; node < nodes; node += 1) {
    before += leaving[node] ?? 0;
    first[node + 1] = before;
  }
  const free = first.slice();
  const next = new Int32Array(count);
  for (let arrow = 0; arrow < count; arrow += 1) {
    const node = from[arrow] ?? 0;
    const slot = free[node] ?? 0;
    free[node] = slot + 1;
    next[slot] = to[arrow] ?? 0;
  }
  return { first, next };
}

/** Kahn's algorithm: a node follows when all before it have. What leads to each is counted down. */
function topologicalOrder(first: Int32Array, next: Int32Array, waiting: Int32Array): Int32Array {
  const nodes = waiting.length;
  const order = new Int32Array(nodes);
  let known = 0;
  for (let node = 0; node < nodes; node += 1) {
    if (waiting[node] !== 0) continue;
    order[known] = node;
    known += 1;
  }
  for (let taken = 0; taken < known; taken += 1) {
    const node = order[taken] ?? 0;
    const end = first[node + 1] ?? 0;
    for (let arrow = first[node] ?? 0; arrow < end; arrow += 1) {
      const after = next[arrow] ?? 0;
      const left = (waiting[after] ?? 0) - 1;
      waiting[after] = left;
      if (left > 0) continue;
      order[known] = after;
      known += 1;
    }
  }
  return order.subarray(0, known);
}

/** A number in one of the lists of a work order, whose index must be there. */
export function at(numbers: Int32Array, index: number): number {
  return numbers[index] ?? 0;
}
