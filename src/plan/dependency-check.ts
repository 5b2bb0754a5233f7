import { goalOf } from './plan.js';
import type { Plan } from './plan.js';
import type { Goal } from './schema.js';
import { ancestors, depthFirst } from './tree.js';

/** A dependency, or a group of them, that may be wrong or is not needed. */
export interface DependencyFinding {
  readonly code: 'REDUNDANT' | 'ON_FAILED' | 'ONE_BY_ONE' | 'ON_LATER' | 'SEQUENTIAL';
  readonly goal: string;
  /** What it depends on; null where many goals are meant. */
  readonly depends_on: string | null;
  /**
   * Of REDUNDANT how the other dependencies imply it, from the goal to what it depends on; of ONE_BY_ONE and
   * SEQUENTIAL the goals that are meant.
   */
  readonly path: readonly string[];
}

/** Children that each wait for the one before are worth a word from here on. */
const SEQUENTIAL_FROM = 5;
/** Dependencies on so many children of one goal could be one on that goal. */
const ONE_BY_ONE_FROM = 3;

/**
 * What is to be said about the dependencies of a plan that has no circle, goals depth-first: those implied by
 * others, and those that look wrong.
 */
export function checkDependencies(plan: Plan): readonly DependencyFinding[] {
  const redundant = redundantDependencies(plan);
  const order = new Map(Array.from(depthFirst(plan), ({ goal }, index) => [goal.id, index]));
  return [...order.keys()].flatMap((id) => {
    const goal = goalOf(plan, id);
    const implied = redundant.get(id) ?? [];
    const impliedBy = new Set(implied.map(({ depends_on }) => depends_on));
    const needed = goal.dependencies.filter((dependency) => !impliedBy.has(dependency));
    return [
      ...implied,
      ...onFailed(plan, goal, needed),
      ...oneByOne(plan, goal, needed),
      ...onLater(goal, needed, order),
      ...sequential(plan, goal),
    ];
  });
}

/**
 * The dependencies that others imply, by goal. All of them may be taken away at once: what is implied by a longer
 * way in a graph without circles is implied by one that uses none of them.
 */
function redundantDependencies(plan: Plan): ReadonlyMap<string, readonly DependencyFinding[]> {
  const ranks = ranksOf(plan);
  const found = new Map<string, readonly DependencyFinding[]>();
  for (const goal of plan.goals.values()) {
    if (goal.dependencies.length === 0) continue;
    const paths = longerWays(plan, goal, ranks);
    const implied = goal.dependencies.flatMap((dependency): readonly DependencyFinding[] => {
      const path = paths.get(dependency);
      return path === undefined ? [] : [{ code: 'REDUNDANT', goal: goal.id, depends_on: dependency, path }];
    });
    if (implied.length > 0) found.set(goal.id, implied);
  }
  return found;
}

/** A moment of a goal: it begins, or it ends. */
interface Moment {
  readonly goal: Goal;
  readonly end: boolean;
}

/**
 * The moments that must come right before one. A goal with parts begins before they do and ends after them, so that
 * to wait for its end is to wait for all of them, and what it waits for its parts wait for as well.
 */
function before(plan: Plan, { goal, end }: Moment): readonly Moment[] {
  if (end) {
    if (goal.child_ids.length === 0) return [{ goal, end: false }];
    return goal.child_ids.map((id) => ({ goal: goalOf(plan, id), end: true }));
  }
  const needed = goal.dependencies.map((id) => ({ goal: goalOf(plan, id), end: true }));
  return goal.parent_id === null ? needed : [{ goal: goalOf(plan, goal.parent_id), end: false }, ...needed];
}

const keyOf = ({ goal, end }: Moment) => (end ? `<${goal.id}` : `>${goal.id}`);

/** The place of every moment in one order in which each comes after those before it. */
function ranksOf(plan: Plan): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  for (const { goal } of depthFirst(plan)) {
    const stack: { readonly moment: Moment; readonly rest: Moment[] }[] = [];
    const enter = (moment: Moment) => {
      if (!ranks.has(keyOf(moment))) stack.push({ moment, rest: [...before(plan, moment)] });
    };
    enter({ goal, end: true });
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.rest.pop();
      if (next !== undefined) enter(next);
      else {
        stack.pop();
        if (!ranks.has(keyOf(top.moment))) ranks.set(keyOf(top.moment), ranks.size);
      }
    }
  }
  return ranks;
}

/** The goals that come before one goal by more than one step, among those it depends on, each with a way there. */
function longerWays(
  plan: Plan,
  goal: Goal,
  ranks: ReadonlyMap<string, number>,
): ReadonlyMap<string, readonly string[]> {
  const wanted = new Map(goal.dependencies.map((id) => [`<${id}`, id]));
  const lowest = Math.min(...[...wanted.keys()].map((key) => ranks.get(key) ?? 0));
  const from = new Map<string, Moment | null>();
  const queue: Moment[] = [];
  for (const moment of before(plan, { goal, end: false })) {
    queue.push(moment);
    from.set(keyOf(moment), null);
  }
  const found = new Map<string, readonly string[]>();
  for (let index = 0; index < queue.length && found.size < wanted.size; index += 1) {
    const here = queue[index];
    if (here === undefined) break;
    for (const moment of before(plan, here)) {
      const key = keyOf(moment);
      const dependency = wanted.get(key);
      if (dependency !== undefined && !found.has(dependency))
        found.set(dependency, withoutDetours([goal.id, ...wayTo(here, from), dependency]));
      if (from.has(key) || (ranks.get(key) ?? 0) < lowest) continue;
      from.set(key, here);
      queue.push(moment);
    }
  }
  return found;
}

/** The goals on the way to a moment. */
function wayTo(moment: Moment, from: ReadonlyMap<string, Moment | null>): readonly string[] {
  const way: string[] = [];
  for (let at: Moment | null = moment; at !== null; at = from.get(keyOf(at)) ?? null) way.push(at.goal.id);
  return way.toReversed();
}

/** A way without what lies between two visits of one goal, as from its end through its parts to its start. */
function withoutDetours(way: readonly string[]): readonly string[] {
  const short: string[] = [];
  for (const id of way) {
    const earlier = short.indexOf(id);
    if (earlier !== -1) short.length = earlier;
    short.push(id);
  }
  return short;
}

function onFailed(plan: Plan, goal: Goal, needed: readonly string[]): readonly DependencyFinding[] {
  if (goal.status === 'complete') return [];
  return needed
    .filter((id) => goalOf(plan, id).status === 'failed')
    .map((id) => ({ code: 'ON_FAILED', goal: goal.id, depends_on: id, path: [] }));
}

/** A goal that depends on most children of another, and not on that itself. */
function oneByOne(plan: Plan, goal: Goal, needed: readonly string[]): readonly DependencyFinding[] {
  const above = new Set(ancestors(plan, goal).map(({ id }) => id));
  const byParent = new Map<string, string[]>();
  for (const id of needed) {
    const parent = goalOf(plan, id).parent_id;
    if (parent !== null && !above.has(parent)) byParent.set(parent, [...(byParent.get(parent) ?? []), id]);
  }
  return [...byParent]
    .filter(([parent, ids]) => {
      const children = goalOf(plan, parent).child_ids.length;
      return ids.length >= ONE_BY_ONE_FROM && ids.length * 2 > children;
    })
    .map(([parent, ids]) => ({ code: 'ONE_BY_ONE', goal: goal.id, depends_on: parent, path: ids }));
}

function onLater(
  goal: Goal,
  needed: readonly string[],
  order: ReadonlyMap<string, number>,
): readonly DependencyFinding[] {
  const place = order.get(goal.id) ?? 0;
  return needed
    .filter((id) => (order.get(id) ?? 0) > place)
    .map((id) => ({ code: 'ON_LATER', goal: goal.id, depends_on: id, path: [] }));
}

/** A goal whose children can be done in no other way than one after the other. */
function sequential(plan: Plan, { id, child_ids }: Goal): readonly DependencyFinding[] {
  if (child_ids.length < SEQUENTIAL_FROM) return [];
  const chained = child_ids.every((child, index) => {
    const previous = child_ids[index - 1];
    return previous === undefined || goalOf(plan, child).dependencies.includes(previous);
  });
  return chained ? [{ code: 'SEQUENTIAL', goal: id, depends_on: null, path: child_ids }] : [];
}
