import { layeredMap } from '../../kernel/layered-map.js';
import type { LayeredMap } from '../../kernel/layered-map.js';

/** What decides where an event is in the order, but for its place in the file. */
export interface Place {
  readonly clock: number;
  readonly replica: string;
}

/**
 * The greatest clock of each replica, never going back within one. A log can have as many replicas as events, so one
 * more is added without looking at those that are there.
 */
export interface Clocks {
  readonly byReplica: LayeredMap<number>;
  /** The last place of all of them; null where there is none. */
  readonly latest: Place | null;
}

/** No clocks yet, or those that a plan file names. */
export function clocksOf(named: Readonly<Record<string, number>> = {}): Clocks {
  const all = Object.entries(named);
  const latest = all.reduce<Place | null>((last, [replica, clock]) => later(last, { clock, replica }), null);
  return { byReplica: layeredMap(all), latest };
}

/** Returns the greatest clock of a replica; 0 where there is none. */
export function clockOf({ byReplica }: Clocks, replica: string): number {
  return byReplica.get(replica) ?? 0;
}

/** Returns the clocks with a place; one that is behind its replica's own clock counts as that. */
export function withClock(clocks: Clocks, { replica, clock: own }: Place): Clocks {
  const clock = Math.max(own, clockOf(clocks, replica));
  return {
    byReplica: clocks.byReplica.with(replica, clock),
    latest: later(clocks.latest, { clock, replica }),
  };
}

/** Returns the clocks as a plan file holds them, by replica. */
export function clocksByReplica({ byReplica }: Clocks): Record<string, number> {
  return Object.fromEntries(byReplica);
}

/** Returns whether one place is before another in canonical order; nothing is before null. */
export function comesBefore(a: Place, b: Place | null): boolean {
  if (b === null || a.clock !== b.clock) return b !== null && a.clock < b.clock;
  return a.replica < b.replica;
}

function later(last: Place | null, place: Place): Place {
  return last === null || comesBefore(last, place) ? place : last;
}
