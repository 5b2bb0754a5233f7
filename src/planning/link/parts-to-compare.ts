import type { Plan } from '../../plan/plan.js';
import { ancestors, depthFirst } from '../../plan/tree.js';
import type { NumberedGoal } from '../../plan/tree.js';
import { numberedLeaves } from './link-question.js';
import type { WideWait } from './wide-waits.js';

/** Goals that one question compares, none below another. */
export interface Parts {
  readonly goals: readonly NumberedGoal[];
  /** The leaves of each of them, by its id; a leaf is its own. */
  readonly leaves: ReadonlyMap<string, readonly NumberedGoal[]>;
}

/** Two parts whose leaves are to be compared; twice the same for those of one part. */
export type PartPair = readonly [one: string, other: string];

/**
 * Returns the deepest level of a plan that has few enough goals for one question. A leaf above that level is among them.
 * @returns null where the first level has too many
 */
export function deepestParts(plan: Plan, most: number): Parts | null {
  const all = [...depthFirst(plan)].filter(({ goal }) => goal.parent_id !== null);
  const deepest = all.reduce((depth, { goal }) => Math.max(depth, goal.depth), 0);
  let found: readonly NumberedGoal[] | null = null;
  for (let level = 1; level <= deepest; level += 1) {
    const goals = all.filter(
      ({ goal: { child_ids, depth } }) => depth === level || (depth < level && child_ids.length === 0),
    );
    if (goals.length > most) break;
    found = goals;
  }
  return found === null ? null : partsOf(plan, found);
}

/** Returns the goals one level below some; a leaf stays as it is. */
export function partsBelow(plan: Plan, ids: readonly string[]): Parts {
  const goals = [...depthFirst(plan)].filter(
    ({ goal: { id, child_ids, parent_id } }) =>
      ids.includes(parent_id ?? '') || (child_ids.length === 0 && ids.includes(id)),
  );
  return partsOf(plan, goals);
}

function partsOf(plan: Plan, goals: readonly NumberedGoal[]): Parts {
  const leaves = new Map<string, NumberedGoal[]>(goals.map(({ goal }) => [goal.id, []]));
  for (const leaf of numberedLeaves(plan))
    for (const { id } of [leaf.goal, ...ancestors(plan, leaf.goal)]) leaves.get(id)?.push(leaf);
  return { goals, leaves };
}

/** Lists the pairs of parts that waits join, each pair once. */
export function pairsBehind({ leaves }: Parts, waits: readonly WideWait[]): readonly PartPair[] {
  const partOf = new Map([...leaves].flatMap(([part, below]) => below.map(({ goal }) => [goal.id, part])));
  const partsWith = (ids: readonly string[]) => new Set(ids.flatMap((id) => partOf.get(id) ?? []));
  const pairs = waits.flatMap(({ waiting, awaited }) => {
    const before = partsWith(awaited);
    return Array.from(partsWith(waiting), (part) => Array.from(before, (on): PartPair => [part, on])).flat();
  });
  return [...new Map(pairs.map((pair) => [pairKey(pair), pair])).values()];
}

/** Names a pair of parts, whichever comes first. */
export function pairKey(pair: PartPair): string {
  return pair.toSorted().join(' ');
}

/**
 * Puts pairs of parts into groups that each have few enough leaves for one question, so that each pair is in one of them:
 * beginning with the first pair that is left, with whatever part completes most pairs that are left.
 * @returns the groups, and the pairs that are too large for any
 */
export function groupPairs(
  { goals, leaves }: Parts,
  pairs: readonly PartPair[],
  most: number,
): { readonly groups: readonly ReadonlySet<string>[]; readonly tooLarge: readonly PartPair[] } {
  const sizeOf = (id: string) => leaves.get(id)?.length ?? 0;
  const sizeOfPair = ([one, other]: PartPair) => sizeOf(one) + (one === other ? 0 : sizeOf(other));
  const fitting = pairs.filter((pair) => sizeOfPair(pair) <= most);
  const left = new Map<string, Set<string>>();
  const join = (one: string, other: string) => left.set(one, (left.get(one) ?? new Set<string>()).add(other));
  for (const [one, other] of fitting) {
    join(one, other);
    join(other, one);
  }
  const groups: ReadonlySet<string>[] = [];
  for (const pair of fitting) {
    if (left.get(pair[0])?.has(pair[1]) !== true) continue;
    const group = new Set(pair);
    let room = most - sizeOfPair(pair);
    for (let next = pair[0]; next !== ''; room -= next === '' ? 0 : sizeOf(next)) {
      next = bestNext(goals, { group, left, fits: (id) => sizeOf(id) <= room });
      if (next !== '') group.add(next);
    }
    for (const one of group) for (const other of group) left.get(one)?.delete(other);
    groups.push(group);
  }
  return { groups, tooLarge: pairs.filter((pair) => sizeOfPair(pair) > most) };
}

/** The part that completes most pairs with a group; empty where none completes any. */
function bestNext(
  goals: readonly NumberedGoal[],
  {
    group,
    left,
    fits,
  }: {
    readonly group: ReadonlySet<string>;
    readonly left: ReadonlyMap<string, ReadonlySet<string>>;
    readonly fits: (id: string) => boolean;
  },
): string {
  let best = '';
  let most = 0;
  for (const { goal } of goals) {
    const others = left.get(goal.id);
    if (others === undefined || others.size <= most || group.has(goal.id) || !fits(goal.id)) continue;
    let gained = 0;
    for (const member of group) if (others.has(member)) gained += 1;
    if (gained > most) [best, most] = [goal.id, gained];
  }
  return best;
}
