import { backoffMs, probeBackoffMs } from './backoff.js';
import type { CallContext, Endpoint } from './endpoint.js';
import type { Slot } from './limiter.js';

/** What was wrong with one request. */
export interface RetryableFailure {
  readonly kind: 'retryable';
  readonly reason: string;
  /** The wait that the server asks for. */
  readonly waitMs?: number | undefined;
  /** Refused because the server is at its limit (429). */
  readonly limited?: boolean;
  readonly tooLarge?: boolean;
}

/** What follows from it: another attempt after a wait, or none. */
export interface Fault {
  readonly kind: 'fault';
  readonly reason: string;
  readonly waitMs: number;
  /** The wait of a server at its limit is everybody's, and is kept by the limiter. */
  readonly limited: boolean;
  readonly over: boolean;
  /** Until when the server wants to be left alone, where that is too long to wait; milliseconds since 1970. */
  readonly until?: number;
}

/** A server that asks for a longer wait than this has failed for now. */
const LONGEST_WAIT_MS = 60_000;
/** A server that is at its limit is asked again for so long at least: most limits are by the minute. */
const PATIENCE_MS = 120_000;

/**
 * What follows from a failure of one request, the `failures`-th of its question being the last one before. Throttles before
 * the slot is given on, so that nobody slips through in between.
 */
export function faultOf(
  context: CallContext,
  endpoint: Endpoint,
  failure: RetryableFailure,
  { failures, slot }: { readonly failures: number; readonly slot: Slot },
): Fault {
  const { reason, limited = false, tooLarge = false } = failure;
  if (limited) return limitedFault(context, endpoint, failure, slot);
  const waitMs = withinTime(context, failure.waitMs ?? backoffMs(failures, context.random));
  const long = leftAlone(context, endpoint, waitMs);
  const over = long || failures >= Math.min(context.maxRetries, tooLarge ? 1 : Infinity);
  return { kind: 'fault', reason, waitMs, limited, over, ...(long ? { until: endpoint.cooldownUntil } : {}) };
}

// Retries are not counted here: a busy server is asked until it has let nobody through for some minutes. Without a word
// of it how long to wait, one request at a time finds out.
function limitedFault(
  context: CallContext,
  endpoint: Endpoint,
  { reason, waitMs: asked }: RetryableFailure,
  slot: Slot,
): Fault {
  const { since, waves } = endpoint.crowded ?? { since: context.now(), waves: 0 };
  // Requests that were under way together are refused together, which is one answer.
  const wave = slot.stale ? Math.max(0, waves - 1) : waves;
  const wanted =
    asked === undefined
      ? probeBackoffMs(wave, context.random)
      : Math.max(asked, wave === 0 ? 0 : backoffMs(wave - 1, context.random));
  const waitMs = withinTime(context, wanted);
  endpoint.crowded = { since, waves: wave + 1 };
  const isFutile = wave + 1 > context.maxRetries && context.now() - since >= PATIENCE_MS;
  if (isFutile) endpoint.cooldownUntil = context.now() + LONGEST_WAIT_MS;
  const long = leftAlone(context, endpoint, waitMs);
  const over = long || isFutile || context.maxRetries === 0;
  if (!over) {
    slot.throttle(waitMs, asked === undefined);
    const { concurrency } = context.limiter;
    context.report({ kind: 'throttled', model: endpoint.model, concurrency, wait_ms: waitMs });
  }
  const until = long ? { until: endpoint.cooldownUntil } : {};
  return { kind: 'fault', reason, waitMs, limited: true, over, ...until };
}

function leftAlone(context: CallContext, endpoint: Endpoint, waitMs: number): boolean {
  if (waitMs <= LONGEST_WAIT_MS) return false;
  endpoint.cooldownUntil = context.now() + waitMs;
  return true;
}

// No wait goes beyond the time that the budget has left.
function withinTime(context: CallContext, wantedMs: number): number {
  if (wantedMs > LONGEST_WAIT_MS) return wantedMs;
  return Math.min(wantedMs, (context.meter.remaining().seconds ?? Infinity) * 1000);
}
