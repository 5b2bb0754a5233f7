import type { Plan } from '../../plan/plan.js';
import { workOrder, startNode } from '../../plan/readiness/work-order.js';

/** Which leaves come before which, directly or through others. */
export interface LeafClosure {
  readonly leaves: number;
  /** The share of all pairs of leaves of which one comes before the other. */
  readonly orderedShare: number;
  /** Whether the leaf of the second index is done before that of the first may start. */
  before(this: void, goal: number, on: number): boolean;
  /** The index of a leaf by its id; -1 for what is no leaf. */
  indexOf(this: void, id: string): number;
}

const WORD = 32;

/** Works out the order of all leaves of a plan, as if nothing were done; in space that grows with the square of the leaves. */
export function leafClosure(plan: Plan): LeafClosure {
  const { goals, first, next, order } = workOrder(plan, 'every');
  const indexes = new Map<string, number>();
  const leafAt = new Int32Array(goals.length).fill(-1);
  for (const [goalIndex, { goal }] of goals.entries()) {
    if (goal.child_ids.length > 0) continue;
    leafAt[goalIndex] = indexes.size;
    indexes.set(goal.id, indexes.size);
  }
  const leaves = indexes.size;
  const width = Math.ceil(leaves / WORD);
  const found = new Int32Array(2 * goals.length * width);
  let pairs = 0;
  for (const node of order) {
    const leaf = node % 2 === 0 ? -1 : (leafAt[(node - 1) / 2] ?? -1);
    const base = node * width;
    if (leaf >= 0) {
      pairs += countBits(found, base, width);
      found[base + (leaf >> 5)] = (found[base + (leaf >> 5)] ?? 0) | (1 << (leaf & 31));
    }
    for (let arrow = first[node] ?? 0; arrow < (first[node + 1] ?? 0); arrow += 1) {
      const after = (next[arrow] ?? 0) * width;
      for (let word = 0; word < width; word += 1)
        found[after + word] = (found[after + word] ?? 0) | (found[base + word] ?? 0);
    }
  }
  const startOf = new Int32Array(leaves);
  for (const [goalIndex, leaf] of leafAt.entries()) if (leaf >= 0) startOf[leaf] = startNode(goalIndex);
  return {
    leaves,
    orderedShare: leaves < 2 ? 0 : pairs / ((leaves * (leaves - 1)) / 2),
    before: (goal, on) =>
      goal >= 0 &&
      on >= 0 &&
      ((found[(startOf[goal] ?? 0) * width + (on >> 5)] ?? 0) & (1 << (on & 31))) !== 0,
    indexOf: (id) => indexes.get(id) ?? -1,
  };
}

function countBits(words: Int32Array, from: number, width: number): number {
  let count = 0;
  for (let word = from; word < from + width; word += 1)
    for (let left = words[word] ?? 0; left !== 0; left &= left - 1) count += 1;
  return count;
}
