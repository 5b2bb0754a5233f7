import type { Goal } from '../schema.js';

/**
 * Returns what tells whether one goal is the other, or above or below it, by what goals say of their parents. The tree is
 * walked once for all questions. Goals in a circle of parents, and below one, are relatives of none.
 */
export function relativesIn(goals: ReadonlyMap<string, Goal>): (one: string, other: string) => boolean {
  const children = new Map<string | null, string[]>();
  for (const [id, { parent_id }] of goals) {
    const parent = parent_id !== null && goals.has(parent_id) ? parent_id : null;
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [id]);
    else known.push(id);
  }
  /** The place of each goal, parents before children, each with all below it together. */
  const places = new Map<string, number>();
  const open = children.get(null)?.slice() ?? [];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    places.set(id, places.size);
    for (const child of children.get(id) ?? []) open.push(child);
  }
  const order = [...places.keys()];
  /** Of each goal the last place below it. */
  const ends = order.map((_, place) => place);
  for (let place = order.length - 1; place > 0; place -= 1) {
    const parent = places.get(goals.get(order[place] ?? '')?.parent_id ?? '');
    if (parent !== undefined) ends[parent] = Math.max(ends[parent] ?? 0, ends[place] ?? 0);
  }
  return (one, other) => {
    const [first, second] = [places.get(one), places.get(other)];
    if (first === undefined || second === undefined) return one === other;
    return first <= second ? second <= (ends[first] ?? 0) : first <= (ends[second] ?? 0);
  };
}
