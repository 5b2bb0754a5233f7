import { backoffMs, probeMs } from './backoff.js';
import type { Endpoint, Line } from './endpoint.js';
import type { Slot } from './limiter.js';

/** What was wrong with one request. */
export interface Trouble {
  readonly kind: 'trouble';
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
}

/** A server that asks for a longer wait than this has failed for now. */
const LONGEST_WAIT_MS = 60_000;
/** A server that is at its limit is asked again for so long at least: most limits are by the minute. */
const PATIENCE_MS = 120_000;

/**
 * What follows from trouble with one request, the `failures`-th of its question being the last one before. Throttles before
 * the slot is given on, so that nobody slips through in between.
 */
export function faultOf(
  line: Line,
  endpoint: Endpoint,
  trouble: Trouble,
  { failures, slot }: { readonly failures: number; readonly slot: Slot },
): Fault {
  const { reason, limited = false, tooLarge = false } = trouble;
  if (limited) return limitedFault(line, endpoint, trouble, slot);
  const waitMs = withinTime(line, trouble.waitMs ?? backoffMs(failures, line.random));
  const over = leftAlone(line, endpoint, waitMs) || failures >= (tooLarge ? 1 : line.maxRetries);
  return { kind: 'fault', reason, waitMs, limited, over };
}

// Retries are not counted here: a busy server is asked until it has let nobody through for some minutes. Without a word
// of it how long to wait, one request at a time finds out.
function limitedFault(line: Line, endpoint: Endpoint, { reason, waitMs: asked }: Trouble, slot: Slot): Fault {
  const { since, waves } = endpoint.crowded ?? { since: line.now(), waves: 0 };
  // Requests that were under way together are refused together, which is one answer.
  const wave = slot.stale ? Math.max(0, waves - 1) : waves;
  const wanted =
    asked === undefined
      ? probeMs(wave, line.random)
      : Math.max(asked, wave === 0 ? 0 : backoffMs(wave - 1, line.random));
  const waitMs = withinTime(line, wanted);
  endpoint.crowded = { since, waves: wave + 1 };
  const inVain = wave + 1 > line.maxRetries && line.now() - since >= PATIENCE_MS;
  if (inVain) endpoint.silentUntil = line.now() + LONGEST_WAIT_MS;
  const over = leftAlone(line, endpoint, waitMs) || inVain || line.maxRetries === 0;
  if (!over) {
    slot.throttle(waitMs, asked === undefined);
    const { concurrency } = line.limiter;
    line.report({ kind: 'throttled', model: endpoint.model, concurrency, wait_ms: waitMs });
  }
  return { kind: 'fault', reason, waitMs, limited: true, over };
}

function leftAlone(line: Line, endpoint: Endpoint, waitMs: number): boolean {
  if (waitMs <= LONGEST_WAIT_MS) return false;
  endpoint.silentUntil = line.now() + waitMs;
  return true;
}

// No wait goes beyond the time that the budget has left.
function withinTime(line: Line, wantedMs: number): number {
  if (wantedMs > LONGEST_WAIT_MS) return wantedMs;
  return Math.min(wantedMs, (line.meter.remaining().seconds ?? Infinity) * 1000);
}
