import type { Plan } from '../plan.js';
import type { Goal } from '../schema.js';
import { ancestors, numberOf } from '../tree.js';
import { waitingFor } from './dependencies.js';
import { isOnHold } from './holds.js';
import { openWork } from './open-work.js';

/** So many goals are looked at one by one; for more, looking at the whole plan once is cheaper. */
const FEW = 16;

/**
 * The goals that waited for one of these, by a dependency of their own or of a goal above them, and can start. Depth-first
 * order. In a large plan few goals mostly wait for one, and then nothing is worked out for the others.
 */
export function freedGoals(plan: Plan, complete: ReadonlySet<string>, at: string): readonly Goal[] {
  const waited: Goal[] = [];
  for (const goal of plan.goals.values())
    if (goal.dependencies.some((id) => complete.has(id))) waited.push(goal);
  if (waited.length > FEW || waited.some((goal) => goal.child_ids.length > 0))
    return readyBelow(plan, waited, at);
  const freed = waited.filter(
    (goal) => goal.status === 'atomic' && waitingFor(plan, goal).length === 0 && !isOnHold(plan, goal, at),
  );
  return freed.length < 2 ? freed : inTreeOrder(plan, freed);
}

/** What can start of these goals and all below them. */
function readyBelow(plan: Plan, tops: readonly Goal[], at: string): readonly Goal[] {
  const ids = new Set(tops.map(({ id }) => id));
  return openWork(plan, at).ready.filter((goal) =>
    [goal, ...ancestors(plan, goal)].some(({ id }) => ids.has(id)),
  );
}

function inTreeOrder(plan: Plan, goals: readonly Goal[]): readonly Goal[] {
  return goals
    .map((goal) => ({ goal, path: numberOf(plan, goal).split('.').map(Number) }))
    .toSorted((left, right) => comparePaths(left.path, right.path))
    .map(({ goal }) => goal);
}

/** Of two places in a tree, neither above the other, which comes first. */
function comparePaths(left: readonly number[], right: readonly number[]): number {
  const level = left.findIndex((index, depth) => index !== right[depth]);
  return (left[level] ?? 0) - (right[level] ?? 0);
}
