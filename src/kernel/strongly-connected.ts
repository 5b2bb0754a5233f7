/** Arrows between nodes that are whole numbers from 0. Those of node `n` lead to `next[first[n]]` up to, but without, `next[first[n + 1]]`. */
export interface Arrows {
  readonly first: Int32Array;
  readonly next: Int32Array;
}

const at = (numbers: Int32Array, index: number) => numbers[index] ?? 0;

/**
 * Returns of each node the number of its group: nodes of one group lead to each other, so that every circle lies in one. Linear
 * in nodes and arrows (Tarjan, SIAM J. Comput. 1972), and without recursion: a way of any length is walked.
 */
export function stronglyConnected({ first, next }: Arrows): Int32Array {
  const size = first.length - 1;
  const groups = new Int32Array(size).fill(-1);
  /** When each node was entered, from 1; 0 for one that was not. */
  const entered = new Int32Array(size);
  /** The earliest node that each leads back to. */
  const earliest = new Int32Array(size);
  const arrow = first.slice();
  const open: number[] = [];
  const path: number[] = [];
  let [time, group] = [0, 0];
  const enter = (node: number) => {
    time += 1;
    entered[node] = time;
    earliest[node] = time;
    open.push(node);
    path.push(node);
  };
  const leadsBackTo = (node: number, when: number) => {
    if (when < at(earliest, node)) earliest[node] = when;
  };
  const close = (node: number) => {
    path.pop();
    const before = path.at(-1);
    if (before !== undefined) leadsBackTo(before, at(earliest, node));
    if (at(earliest, node) !== at(entered, node)) return;
    for (let each = open.pop(); each !== undefined; each = each === node ? undefined : open.pop())
      groups[each] = group;
    group += 1;
  };
  for (let origin = 0; origin < size; origin += 1) {
    if (at(entered, origin) === 0) enter(origin);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const index = at(arrow, node);
      if (index === at(first, node + 1)) {
        close(node);
        continue;
      }
      arrow[node] = index + 1;
      const after = at(next, index);
      if (at(entered, after) === 0) enter(after);
      else if (groups[after] === -1) leadsBackTo(node, at(entered, after));
    }
  }
  return groups;
}
