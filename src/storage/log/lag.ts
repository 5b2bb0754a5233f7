import type { PlanEvent } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import type { PlanStatus } from '../../plan/schema.js';

/** What the log has that the plan file does not show. */
export interface Lag {
  readonly events: number;
  readonly bytes: number;
  /** When the first of these events was written; null when there is none. */
  readonly since: string | null;
  /** What the plan file says that the plan's status is. */
  readonly status: PlanStatus;
}

/** A plan file up to this size is never behind: writing it takes a few milliseconds. Some two thousand goals. */
const SMALL_BYTES = 1_250_000;
/** A larger one is behind by fewer events than this, */
const MOST_EVENTS = 64;
/** by fewer bytes of the log, */
const MOST_BYTES = 128 * 1024;
/** and, when a change is made, by nothing that is older. */
const MOST_MS = 10 * 60_000;

/** The lag of a plan file that shows a state. */
export function noLag(plan: Plan): Lag {
  return { events: 0, bytes: 0, since: null, status: plan.header.status };
}

/** The lag after one more event. @param bytes the length of its line */
export function lagBehind(lag: Lag, event: PlanEvent, bytes: number): Lag {
  return {
    ...lag,
    events: lag.events + 1,
    bytes: lag.bytes + bytes,
    since: lag.since ?? event.at,
  };
}

/**
 * Whether a plan file lags so far behind its log that it pays to write it anew.
 * @param lag null for a file that is missing or shows no state of the log
 * @param size of the plan file that is there, in bytes
 * @param now in milliseconds since 1970
 */
export function isDue(lag: Lag | null, plan: Plan, size: number, now: number): boolean {
  if (lag === null) return true;
  if (lag.events === 0) return false;
  return (
    size <= SMALL_BYTES ||
    lag.events >= MOST_EVENTS ||
    lag.bytes >= MOST_BYTES ||
    lag.status !== plan.header.status ||
    now - Date.parse(lag.since ?? '') >= MOST_MS
  );
}
