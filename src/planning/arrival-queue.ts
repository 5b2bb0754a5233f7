/** A queue of results in the order in which they arrive. */
export interface ArrivalQueue<T> {
  add(value: T): void;
  /** Waits until something has arrived, or the signal was aborted, and takes all there is. */
  next(): Promise<readonly T[]>;
}

/** Collects results that arrive in any order, so that those that came together are handled together. */
export function createArrivalQueue<T>(signal: AbortSignal): ArrivalQueue<T> {
  let arrived: T[] = [];
  let wake: (() => void) | null = null;
  const wakeUp = () => wake?.();

  return {
    add(value) {
      arrived.push(value);
      wakeUp();
    },
    async next() {
      if (arrived.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (!signal.aborted) signal.addEventListener('abort', wakeUp, { once: true });
        });
        wake = null;
        signal.removeEventListener('abort', wakeUp);
      }
      const taken = arrived;
      arrived = [];
      return taken;
    },
  };
}
