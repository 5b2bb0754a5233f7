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

/** The places of the goals that can start, as `openWork` finds them; their own and inherited dependencies are complete. */
export function readyPlaces(plan: Plan, { goals, isOpen, parents }: WorkOrder): readonly number[] {
  const isBlocked = new Uint8Array(goals.length);
  const ready: number[] = [];
  for (let place = 0; place < goals.length; place += 1) {
    const goal = goals[place]?.goal;
    if (goal === undefined) break;
    const parent = parents[place] ?? -1;
    if ((parent >= 0 && isBlocked[parent] === 1) || isWaitingItself(plan, goal)) isBlocked[place] = 1;
    else if (isOpen[place] === 1 && goal.status === 'atomic') ready.push(place);
  }
  return ready;
}

function isWaitingItself(plan: Plan, { dependencies }: Goal): boolean {
  for (let index = 0; index < dependencies.length; index += 1)
    if (plan.goals.get(dependencies[index] ?? '')?.status !== 'complete') return true;
  return false;
}

/**
 * The goals, of those at the places given, that it is best to begin with: those that start the longest chain first, among
 * these the ones that most others wait for, then depth-first.
 * @param limit how many at most
 */
export function rankGoals(work: WorkOrder, places: readonly number[], limit: number): readonly RankedGoal[] {
  const chains = chainLengths(work);
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
