import process from 'node:process';

/**
 * Milliseconds since some moment in the past, whatever becomes of the machine's clock. Node makes `performance` when it is
 * first looked at, which takes longer than many a change.
 */
export function monotonicNow(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
