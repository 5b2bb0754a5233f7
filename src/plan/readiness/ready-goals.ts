import type { Plan } from '../plan.js';
import type { Goal } from '../schema.js';
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

/** The indexes of the goals that can start, as `openWork` finds them; their own and inherited dependencies are complete. */
export function readyGoalIndexes(plan: Plan, { goals, isOpen, parents }: WorkOrder): readonly number[] {
  const isBlocked = new Uint8Array(goals.length);
  const ready: number[] = [];
  for (let goalIndex = 0; goalIndex < goals.length; goalIndex += 1) {
    const goal = goals[goalIndex]?.goal;
    if (goal === undefined) break;
    const parent = parents[goalIndex] ?? -1;
    if ((parent >= 0 && isBlocked[parent] === 1) || isWaitingItself(plan, goal)) isBlocked[goalIndex] = 1;
    else if (isOpen[goalIndex] === 1 && goal.status === 'atomic') ready.push(goalIndex);
  }
  return ready;
}

function isWaitingItself(plan: Plan, { dependencies }: Goal): boolean {
  for (let index = 0; index < dependencies.length; index += 1)
    if (plan.goals.get(dependencies[index] ?? '')?.status !== 'complete') return true;
  return false;
}

/**
 * The goals, of those at the indexes given, that it is best to begin with: those that start the longest chain first, among
 * these the ones that most others wait for, then depth-first.
 * @param limit how many at most
 */
export function rankGoals(
  work: WorkOrder,
  goalIndexes: readonly number[],
  limit: number,
): readonly RankedGoal[] {
  const chains = chainLengths(work);
  const byChain = goalIndexes.toSorted((a, b) => at(chains, b) - at(chains, a) || a - b);
  // What others wait for is counted only where it decides; nothing waits for the end of every chain.
  const last = at(chains, byChain[Math.min(limit, byChain.length) - 1] ?? -1);
  const chosen = byChain.filter((goalIndex) => at(chains, goalIndex) >= last);
  const counts = new Map(withDependents(work, chains, chosen));
  return chosen
    .toSorted((a, b) => at(chains, b) - at(chains, a) || (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a - b)
    .slice(0, limit)
    .flatMap((goalIndex) => {
      const numbered = work.goals[goalIndex];
      if (numbered === undefined) return [];
      return [{ ...numbered, chain: at(chains, goalIndex), unblocks: counts.get(goalIndex) ?? 0 }];
    });
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
