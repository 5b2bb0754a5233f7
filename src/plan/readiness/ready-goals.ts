import type { Plan } from '../plan.js';
import type { Goal } from '../schema.js';
import { USUAL_PRIORITY } from './priorities.js';
import { ownHold } from './holds.js';
import { chainLengths, waitingCounts } from './work-analysis.js';
import { at } from './work-order.js';
import type { WorkOrder } from './work-order.js';

/** A goal that can start, and what hangs on it. */
export interface RankedGoal {
  readonly goal: Goal;
  readonly number: string;
  /** The most unfinished leaves that must follow each other from this one on, itself included. */
  readonly chain: number;
  /** Unfinished leaves that cannot start before it is done, however far behind it. */
  readonly unblocks: number;
}

/** The indexes of the goals that can start at a moment, as `openWork` finds them: they wait for nothing and are not on hold. */
export function readyGoalIndexes(
  plan: Plan,
  { goals, isOpen, parents }: WorkOrder,
  moment: string,
): readonly number[] {
  const isBlocked = new Uint8Array(goals.length);
  const ready: number[] = [];
  for (let goalIndex = 0; goalIndex < goals.length; goalIndex += 1) {
    const goal = goals[goalIndex]?.goal;
    if (goal === undefined) break;
    const parent = parents[goalIndex] ?? -1;
    if ((parent >= 0 && isBlocked[parent] === 1) || isHeldUp(plan, goal, moment)) isBlocked[goalIndex] = 1;
    else if (isOpen[goalIndex] === 1 && goal.status === 'atomic') ready.push(goalIndex);
  }
  return ready;
}

function isHeldUp(plan: Plan, goal: Goal, moment: string): boolean {
  const { dependencies, on_hold: hold } = goal;
  if (hold !== undefined && ownHold(goal, moment) !== null) return true;
  for (let index = 0; index < dependencies.length; index += 1)
    if (plan.goals.get(dependencies[index] ?? '')?.status !== 'complete') return true;
  return false;
}

/**
 * The goals, of those at the indexes given, that it is best to begin with: the most urgent first, among these those that
 * start the longest chain, then the ones that most others wait for, then depth-first.
 * @param limit how many at most
 */
export function rankGoals(
  work: WorkOrder,
  goalIndexes: readonly number[],
  limit: number,
): readonly RankedGoal[] {
  const chains = chainLengths(work);
  const priorities = prioritiesOf(work);
  const byWeight = (a: number, b: number) =>
    at(priorities, a) - at(priorities, b) || at(chains, b) - at(chains, a);
  const sorted = goalIndexes.toSorted((a, b) => byWeight(a, b) || a - b);
  // What others wait for is counted only where it decides; nothing waits for the end of every chain.
  const last = sorted[Math.min(limit, sorted.length) - 1] ?? -1;
  const chosen = sorted.filter((goalIndex) => byWeight(goalIndex, last) <= 0);
  const counts = new Map(withDependents(work, chains, chosen));
  return chosen
    .toSorted((a, b) => byWeight(a, b) || (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a - b)
    .slice(0, limit)
    .flatMap((goalIndex) => {
      const numbered = work.goals[goalIndex];
      if (numbered === undefined) return [];
      return [{ ...numbered, chain: at(chains, goalIndex), unblocks: counts.get(goalIndex) ?? 0 }];
    });
}

/** The priority that counts for each goal: its own, else that of the nearest goal above that has one. */
function prioritiesOf({ goals, parents }: WorkOrder): Int32Array {
  const found = new Int32Array(goals.length);
  for (let goalIndex = 0; goalIndex < goals.length; goalIndex += 1) {
    const above = parents[goalIndex] ?? -1;
    found[goalIndex] = goals[goalIndex]?.goal.priority ?? (above < 0 ? USUAL_PRIORITY : at(found, above));
  }
  return found;
}

function withDependents(
  work: WorkOrder,
  chains: Int32Array,
  goalIndexes: readonly number[],
): readonly (readonly [number, number])[] {
  const waitedFor = goalIndexes.filter((goalIndex) => at(chains, goalIndex) > 1);
  const counts = waitingCounts(work, waitedFor);
  return waitedFor.map((goalIndex, index) => [goalIndex, counts[index] ?? 0]);
}
