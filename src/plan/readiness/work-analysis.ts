import { ownHold } from './holds.js';
import { at, endNode, startNode } from './work-order.js';
import type { WorkOrder } from './work-order.js';

/** Goals whose dependents are looked for at once: one bit of a number each. */
const AT_ONCE = 32;

/**
 * For each goal, how long the chain of open work is that begins with it: the most unfinished leaves that follow
 * each other from its start on, itself included.
 */
export function chainLengths(work: WorkOrder): Int32Array {
  const longest = longestFrom(work);
  const chains = new Int32Array(work.goals.length);
  for (let goalIndex = 0; goalIndex < chains.length; goalIndex += 1)
    chains[goalIndex] = longest[startNode(goalIndex)] ?? 0;
  return chains;
}

/**
 * Analyses in which wave of work each unfinished leaf is, counted from 1: one more than the latest wave among those
 * that must be done before. 0 for every other goal.
 */
export function waveNumbers({ goals, isOpen, order, first, next }: WorkOrder): Int32Array {
  const before = new Int32Array(2 * goals.length);
  for (const node of order) {
    const done = at(before, node) + weightOf(isOpen, node);
    for (let arrow = at(first, node); arrow < at(first, node + 1); arrow += 1) {
      const after = at(next, arrow);
      if (done > at(before, after)) before[after] = done;
    }
  }
  return Int32Array.from(goals, (_, goalIndex) =>
    isOpen[goalIndex] === 1 ? at(before, startNode(goalIndex)) + 1 : 0,
  );
}

/**
 * Analyses what is held up at a moment, an ISO 8601 time: 1 for each unfinished leaf that is on hold, or cannot start before
 * one that is; null where nothing is on hold.
 */
export function heldWork({ goals, order, first, next }: WorkOrder, moment: string): Uint8Array | null {
  const isHeld = new Uint8Array(2 * goals.length);
  let any = false;
  for (const [goalIndex, { goal }] of goals.entries()) {
    if (goal.on_hold === undefined || goal.status === 'complete' || ownHold(goal, moment) === null) continue;
    isHeld[startNode(goalIndex)] = 1;
    any = true;
  }
  if (!any) return null;
  for (const node of order)
    if (isHeld[node] === 1)
      for (let arrow = at(first, node); arrow < at(first, node + 1); arrow += 1) isHeld[at(next, arrow)] = 1;
  return isHeld.filter((_held, node) => node % 2 === 0);
}

/**
 * The longest chain of work, that is of unfinished leaves that must follow each other, as indexes in order; of
 * several the one that comes first in the tree.
 */
export function longestChain(work: WorkOrder): readonly number[] {
  const { isOpen, first, next } = work;
  const longest = longestFrom(work);
  const chain: number[] = [];
  let node = startNode(0);
  for (let left = at(longest, node); left > 0;) {
    if (weightOf(isOpen, node) === 1) {
      chain.push(node / 2);
      left -= 1;
    }
    let onward = -1;
    for (let arrow = at(first, node); arrow < at(first, node + 1); arrow += 1) {
      const after = at(next, arrow);
      if (at(longest, after) === left && (onward === -1 || after < onward)) onward = after;
    }
    node = onward;
  }
  return chain;
}

/**
 * Analyses how much work waits for each of these goals: how many unfinished leaves cannot start before it is done,
 * however far behind. What little waits for a goal is walked through. Where much waits for them, time grows with the
 * goals asked for, by thirty-two, times the size of the plan.
 */
export function waitingCounts(work: WorkOrder, goalIndexes: readonly number[]): readonly number[] {
  const counts = countAlone(work, goalIndexes);
  for (let from = counts.length; from < goalIndexes.length; from += AT_ONCE)
    for (const count of countTogether(work, goalIndexes.slice(from, from + AT_ONCE))) counts.push(count);
  return counts;
}

/** Counts for one goal after the other, until more steps were taken than twice through the whole plan. */
function countAlone({ goals, isOpen, first, next }: WorkOrder, goalIndexes: readonly number[]): number[] {
  const counts: number[] = [];
  const reachedFrom = new Int32Array(2 * goals.length);
  let stepsLeft = 2 * (first.length + next.length);
  for (const [index, goalIndex] of goalIndexes.entries()) {
    const found = [endNode(goalIndex)];
    let count = 0;
    // The list grows while it is walked.
    for (let walked = 0; walked < found.length; walked += 1) {
      const node = found[walked] ?? 0;
      count += weightOf(isOpen, node);
      stepsLeft -= 1 + at(first, node + 1) - at(first, node);
      if (stepsLeft < 0) return counts;
      for (let arrow = at(first, node); arrow < at(first, node + 1); arrow += 1) {
        const after = at(next, arrow);
        if (at(reachedFrom, after) === index + 1) continue;
        reachedFrom[after] = index + 1;
        found.push(after);
      }
    }
    counts.push(count);
  }
  return counts;
}

function countTogether({ goals, isOpen, order, first, next }: WorkOrder, goalIndexes: readonly number[]) {
  const behind = new Int32Array(2 * goals.length);
  const counts = goalIndexes.map(() => 0);
  for (const [bit, goalIndex] of goalIndexes.entries()) {
    const node = endNode(goalIndex);
    behind[node] = at(behind, node) | (1 << bit);
  }
  for (const node of order) {
    const found = at(behind, node);
    if (found === 0) continue;
    if (weightOf(isOpen, node) === 1) addBits(counts, found);
    for (let arrow = at(first, node); arrow < at(first, node + 1); arrow += 1) {
      const after = at(next, arrow);
      behind[after] = at(behind, after) | found;
    }
  }
  return counts;
}

/** Adds one to each count whose bit is set. */
function addBits(counts: number[], bits: number): void {
  for (let left = bits; left !== 0; left &= left - 1) {
    const bit = 31 - Math.clz32(left & -left);
    counts[bit] = (counts[bit] ?? 0) + 1;
  }
}

/** For each node, the most unfinished leaves on a way from it. */
function longestFrom({ goals, isOpen, order, first, next }: WorkOrder): Int32Array {
  const longest = new Int32Array(2 * goals.length);
  for (let index = order.length - 1; index >= 0; index -= 1) {
    const node = order[index] ?? 0;
    const end = first[node + 1] ?? 0;
    let most = 0;
    for (let arrow = first[node] ?? 0; arrow < end; arrow += 1) {
      const length = longest[next[arrow] ?? 0] ?? 0;
      if (length > most) most = length;
    }
    longest[node] = most + weightOf(isOpen, node);
  }
  return longest;
}

/** A leaf that is to be done counts one, where it starts. */
function weightOf(isOpen: Uint8Array, node: number): number {
  return node % 2 === 0 ? (isOpen[node / 2] ?? 0) : 0;
}
