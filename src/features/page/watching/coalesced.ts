import { setTimeout as wait } from 'node:timers/promises';

/**
 * Does work when it is asked for, at once but never twice at the same time, and no sooner than a gap after the last time
 * has ended; however often it is asked for meanwhile, that makes one more time.
 * @param work must not throw
 */
export function coalesced(work: () => Promise<void>, gapMs: number): () => void {
  let isWanted = false;
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await work();
      await wait(gapMs, undefined, { ref: false });
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}
