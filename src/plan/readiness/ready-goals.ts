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

/**
 * The goals, of those given, that it is best to begin with: those that start the longest chain first, among
 * these the ones that most others wait for, then depth-first.
 * @param limit how many at most
 */
export function rankGoals(work: WorkOrder, ids: ReadonlySet<string>, limit: number): readonly RankedGoal[] {
  const chains = chainLengths(work);
  const places = work.goals.flatMap(({ goal }, place) => (ids.has(goal.id) ? [place] : []));
  const byChain = places.toSorted((a, b) => at(chains, b) - at(chains, a) || a - b);
  // What others wait for is counted only where it decides; nothing waits for the end of every chain.
  const last = at(chains, byChain[Math.min(limit, byChain.length) - 1] ?? -1);
  const chosen = byChain.filter((place) => at(chains, place) >= last);
  const counts = new Map(withDependents(work, chains, chosen));
  return chosen
    .toSorted((a, b) => at(chains, b) - at(chains, a) || (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a - b)
    .slice(0, limit)
    .flatMap((place) => {
      const numbered = work.goals[place];
      if (numbered === undefined) return [];
      return [{ ...numbered, chain: at(chains, place), unblocks: counts.get(place) ?? 0 }];
    });
}

function withDependents(
  work: WorkOrder,
  chains: Int32Array,
  places: readonly number[],
): readonly (readonly [number, number])[] {
  const waitedFor = places.filter((place) => at(chains, place) > 1);
  const counts = waitingCounts(work, waitedFor);
  return waitedFor.map((place, index) => [place, counts[index] ?? 0]);
}
