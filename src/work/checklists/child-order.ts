import type { Goal } from '../../plan/schema.js';
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
  return insertInto(lead, other);
}

function insertInto(lead: readonly string[], other: readonly string[]): readonly string[] {
  const order = [...lead];
  const placed = new Set(lead);
  for (const [index, id] of other.entries()) {
    if (placed.has(id)) continue;
    placed.add(id);
    const previous = other[index - 1];
    order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, id);
  }
  return order;
}

/** The moves, each to its place without the moving one, that bring a row into another order; few where few moved. */
export function moveInto(
  from: readonly string[],
  to: readonly string[],
): readonly { readonly id: string; readonly index: number }[] {
  const row = [...from];
  const moves: { id: string; index: number }[] = [];
  const move = (id: string, index: number): void => {
    row.splice(row.indexOf(id), 1);
    row.splice(index, 0, id);
    moves.push({ id, index });
  };
  for (let place = 0; place < to.length; place += 1) {
    const wanted = to[place];
    const there = row[place];
    if (wanted === undefined || there === undefined || wanted === there) continue;
    // One that moved far down is moved itself, and not all that it passed.
    if (row[place + 1] === wanted) {
      move(there, to.indexOf(there));
      place -= 1;
    } else move(wanted, place);
  }
  return moves;
}
