import type { Goal } from '../../../plan/schema.js';
import type { Baseline } from './baseline.js';

/**
 * The order that the children of a goal are to have: the plan's, with lines that are new where they stand in the file; the file's
 * where lines that both had before are in another order there.
 */
export function orderedChildren(
  { id: parent, child_ids }: Goal,
  lines: readonly string[],
  { baseline, arrived }: { readonly baseline: Baseline | null; readonly arrived: ReadonlySet<string> },
): readonly string[] {
  const here = new Set(child_ids);
  const file = lines.filter((id) => here.has(id));
  const wasHere = (id: string) => baseline?.get(id)?.parent === parent;
  const inFile = new Set(file);
  const before = [...(baseline?.keys() ?? [])].filter((id) => inFile.has(id) && wasHere(id));
  const common = file.filter((id) => wasHere(id));
  const isReordered = common.some((id, index) => id !== before[index]);
  // What leads is in its order; what only the other side has goes after what it follows there.
  const [lead, other] = isReordered ? [file, child_ids] : [child_ids.filter((id) => !arrived.has(id)), file];
  // Whatever neither names stays where it is among its siblings.
  return insertInto(insertInto(lead, other), child_ids);
}

function insertInto(lead: readonly string[], other: readonly string[]): readonly string[] {
  const order = [...lead];
  const nested = new Set(lead);
  for (const [index, id] of other.entries()) {
    if (nested.has(id)) continue;
    nested.add(id);
    const previous = other[index - 1];
    order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, id);
  }
  return order;
}

/**
 * The moves, each to its place without the moving one, that bring a row into another order; the fewest that do. What the other
 * order lacks comes last there, and what only that has counts for nothing.
 */
export function moveInto(
  from: readonly string[],
  to: readonly string[],
): readonly { readonly id: string; readonly index: number }[] {
  const known = new Set(from);
  const order = [...new Set([...to.filter((id) => known.has(id)), ...from])];
  const positions = new Map(order.map((id, position) => [id, position]));
  const staying = longestRising(from.map((id) => positions.get(id) ?? 0));
  const places = new Map([...known].map((id, place) => [id, place]));
  // The places of those that are still to move, as sums over stretches (a Fenwick tree), so that none is counted again.
  const sums = Array.from({ length: known.size + 1 }, () => 0);
  const add = (place: number, much: number) => {
    for (let at = place + 1; at < sums.length; at += at & -at) sums[at] = (sums[at] ?? 0) + much;
  };
  const countBefore = (place: number): number => {
    let count = 0;
    for (let at = place; at > 0; at -= at & -at) count += sums[at] ?? 0;
    return count;
  };
  for (const [position, id] of order.entries()) if (!staying.has(position)) add(places.get(id) ?? 0, 1);
  // From the first on, each that moves comes directly after the one before it, which is where it stays.
  let passed = 0;
  return order.flatMap((id, position) => {
    const place = places.get(id) ?? 0;
    if (staying.has(position)) {
      passed = place;
      return [];
    }
    add(place, -1);
    return [{ id, index: position + countBefore(passed) }];
  });
}

/** Returns the members of a longest rising part of a row of numbers, which need not move when it is sorted. */
export function longestRising(row: readonly number[]): ReadonlySet<number> {
  /** By length: the end of the rising part of that length that ends lowest. */
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const value of row) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    if (before.has(value)) continue;
    before.set(value, ends[low - 1]);
    ends[low] = value;
  }
  const found = new Set<number>();
  for (let value = ends.at(-1); value !== undefined; value = before.get(value)) found.add(value);
  return found;
}
