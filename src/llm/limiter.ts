/** Leave to have a request under way. */
export interface Slot {
  /** Gives the leave back. To be called once. */
  release(): void;
  /** Notes a success; as many in a row as there are slots give one slot back. */
  succeed(): void;
  /**
   * Notes that the server wants fewer requests: nobody starts within the next `waitMs`, and the concurrency halves, to 1 at
   * least. After that one request at a time goes out when `alone`, until one succeeds. Requests that were under way
   * together are refused together: that is one reason to halve, not many.
   */
  throttle(waitMs: number, alone: boolean): void;
  /** Whether another request has been refused since this slot was given. */
  readonly stale: boolean;
}

/** How many requests may be under way at once, and when the next may start. */
export interface Limiter {
  readonly concurrency: number;
  /** Waits for a slot and for a pause to end; resolves to undefined, with no slot taken, when `signal` aborts. */
  acquire(signal: AbortSignal): Promise<Slot | undefined>;
}

export interface LimiterOptions {
  readonly concurrency: number;
  readonly now: () => number;
  /** Must resolve when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A limiter that starts at its full concurrency. Slots are given in the order they were asked for. */
export function createLimiter({ concurrency: most, now, sleep }: LimiterOptions): Limiter {
  let allowed = most;
  let alone = false;
  let taken = 0;
  let successes = 0;
  /** How often the server has asked for fewer requests; a slot that was given before says nothing about now. */
  let wave = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  const waiting: (() => void)[] = [];

  const limit = (): number => (alone ? 1 : allowed);
  const wake = (): void => {
    while (taken < limit() && waiting.length > 0) {
      taken += 1;
      waiting.shift()?.();
    }
  };
  const giveBack = (): void => {
    taken -= 1;
    wake();
  };
  const waitForSlot = (signal: AbortSignal): Promise<boolean> => {
    const turn = turnIn(waiting, signal);
    wake();
    return turn;
  };
  const slotOf = (given: number): Slot => ({
    get stale() {
      return given < wave;
    },
    release: giveBack,
    succeed() {
      if (given < wave) return;
      alone = false;
      successes += 1;
      if (allowed < most && successes >= allowed) {
        allowed += 1;
        successes = 0;
      }
      wake();
    },
    throttle(waitMs, byItself) {
      if (given === wave) {
        wave += 1;
        if (!alone) allowed = Math.max(1, Math.floor(allowed / 2));
      }
      alone ||= byItself;
      successes = 0;
      pausedUntil = Math.max(pausedUntil, now() + waitMs);
    },
  });

  return {
    get concurrency() {
      return limit();
    },
    async acquire(signal) {
      let waited = Number.NEGATIVE_INFINITY;
      while (!signal.aborted && (await waitForSlot(signal))) {
        const goesOn = pausedUntil <= waited || pausedUntil <= now();
        if (goesOn && !signal.aborted) return slotOf(wave);
        giveBack();
        if (signal.aborted) return undefined;
        // The same end is waited for once; another refusal may move it meanwhile, and take slots away.
        waited = pausedUntil;
        await sleep(pausedUntil - now(), signal);
      }
      return undefined;
    },
  };
}

/** Waits in a queue to be called. @returns false when `signal` aborts before: then it stands there no more */
function turnIn(queue: (() => void)[], signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const take = (): void => {
      signal.removeEventListener('abort', leave);
      resolve(true);
    };
    const leave = (): void => {
      queue.splice(queue.indexOf(take), 1);
      resolve(false);
    };
    signal.addEventListener('abort', leave, { once: true });
    queue.push(take);
  });
}
