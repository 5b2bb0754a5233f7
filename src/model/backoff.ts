const BASE_MS = 500;
const CAP_MS = 30_000;

/** A wait before retry number `retry` (from 0), in milliseconds: exponential with full jitter. */
export function backoffMs(retry: number, random: () => number): number {
  return Math.round(random() * Math.min(CAP_MS, BASE_MS * 2 ** retry));
}

/**
 * The wait a server asks for, in milliseconds, from `retry-after-ms` or `Retry-After` (seconds or an HTTP
 * date); undefined when it asks for none or for something that is no time.
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const milliseconds = numberIn(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const value = headers.get('retry-after');
  const seconds = numberIn(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = value === null || /^-?[\d.]+$/.test(value.trim()) ? Number.NaN : Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function numberIn(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}
