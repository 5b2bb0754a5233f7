import type { EventPayload } from '../plan/events.js';
import { addUsage, NO_USAGE } from '../plan/plan.js';
import type { Usage } from '../plan/schema.js';

/** Charges the time that planning takes. */
export interface Stopwatch {
  /** The seconds since it was asked last. */
  lap(): Usage;
  /** Charges them to the first of some events, where that can bear it. */
  stamp(events: readonly EventPayload[]): readonly EventPayload[];
}

/** Begins to measure. @param now milliseconds since any fixed moment */
export function createStopwatch(now: () => number): Stopwatch {
  let since = now();
  const lap = (): Usage => {
    const started = since;
    since = now();
    return { ...NO_USAGE, seconds: (since - started) / 1000 };
  };
  return {
    lap,
    stamp(events: readonly EventPayload[]): readonly EventPayload[] {
      const [first, ...rest] = events;
      if (first?.type !== 'goal_expanded' && first?.type !== 'goal_failed') return events;
      return [{ ...first, usage: addUsage(first.usage ?? NO_USAGE, lap()) }, ...rest];
    },
  };
}
