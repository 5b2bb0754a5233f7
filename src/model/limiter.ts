/** How many requests may be under way at once, and when the next may start. */
export interface Limiter {
  readonly concurrency: number;
  /** Waits for a slot and for a pause to end; resolves to false, with no slot taken, when `signal` aborts. */
  acquire(signal: AbortSignal): Promise<boolean>;
  release(): void;
  /** Halves the concurrency (to 1 at least, once a pause) and lets nobody start within the next `waitMs`. */
  throttle(waitMs: number): void;
  /** Notes a success; as many in a row as there are slots give one slot back. */
  succeed(): void;
}

export interface LimiterOptions {
  readonly concurrency: number;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A limiter that starts at its full concurrency. Slots are given in the order they were asked for. */
export function createLimiter({ concurrency: most, now, sleep }: LimiterOptions): Limiter {
  let allowed = most;
  let taken = 0;
  let successes = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  const waiting: (() => void)[] = [];

  const wake = (): void => {
    while (taken < allowed && waiting.length > 0) {
      taken += 1;
      waiting.shift()?.();
    }
  };
  const release = (): void => {
    taken -= 1;
    wake();
  };
  const waitForSlot = (signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const take = (): void => {
        signal.removeEventListener('abort', give);
        resolve(true);
      };
      const give = (): void => {
        waiting.splice(waiting.indexOf(take), 1);
        resolve(false);
      };
      signal.addEventListener('abort', give, { once: true });
      waiting.push(take);
      wake();
    });
  // Looks again after each sleep, for another 429 may have moved the end; the same end is waited for once.
  const waitForPause = async (signal: AbortSignal): Promise<void> => {
    let waited = Number.NEGATIVE_INFINITY;
    while (pausedUntil > waited && pausedUntil > now() && !signal.aborted) {
      waited = pausedUntil;
      await sleep(pausedUntil - now(), signal);
    }
  };

  return {
    get concurrency() {
      return allowed;
    },
    async acquire(signal) {
      if (signal.aborted || !(await waitForSlot(signal))) return false;
      await waitForPause(signal);
      if (signal.aborted) release();
      return !signal.aborted;
    },
    release,
    throttle(waitMs) {
      // Calls that were in flight together are refused together: that is one reason to halve, not many.
      if (pausedUntil <= now()) allowed = Math.max(1, Math.floor(allowed / 2));
      successes = 0;
      pausedUntil = Math.max(pausedUntil, now() + waitMs);
    },
    succeed() {
      successes += 1;
      if (allowed >= most || successes < allowed) return;
      allowed += 1;
      successes = 0;
      wake();
    },
  };
}
