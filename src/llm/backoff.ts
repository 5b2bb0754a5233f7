const BASE_MS = 500;
const CAP_MS = 30_000;

/** A wait before retry number `retry` (from 0), in milliseconds: exponential with full jitter. */
export function backoffMs(retry: number, random: () => number): number {
  return Math.round(random() * boundMs(retry));
}

/**
 * A wait before asking again a server that is at its limit and has not said for how long, in milliseconds: as
 * `backoffMs`, but never less than half of its bound, for every question in between makes it worse.
 */
export function probeBackoffMs(wave: number, random: () => number): number {
  return Math.round(((1 + random()) / 2) * boundMs(wave));
}

function boundMs(retry: number): number {
  return Math.min(CAP_MS, BASE_MS * 2 ** Math.min(retry, 30));
}
