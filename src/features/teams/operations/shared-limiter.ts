import type { Limiter } from '../../../llm/limiter.js';
import type { SharedRateLimit } from '../team.js';

/** How long the database is left alone that cannot be reached. */
const AGAIN_MS = 1000;

export interface SharedLimiterOptions {
  readonly own: Limiter;
  readonly rateLimit: SharedRateLimit;
  readonly newId: () => string;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told what the database refuses; no leave is given then. */
  readonly onFailure: (cause: unknown) => void;
}

/**
 * Has all workers together keep to the limits of a model: a place of this process first, then leave of the rateLimit. A server
 * that wants fewer requests is left alone by all of them.
 */
export function createSharedLimiter({
  own,
  rateLimit,
  newId,
  sleep,
  onFailure,
}: SharedLimiterOptions): Limiter {
  const leaveLater = async (id: string): Promise<void> => {
    try {
      while (!(await rateLimit.leave(id))) await sleep(AGAIN_MS, new AbortController().signal);
    } catch (cause) {
      onFailure(cause);
    }
  };
  const enter = async (id: string, signal: AbortSignal): Promise<boolean> => {
    while (!signal.aborted) {
      const waitMs = await rateLimit.enter(id).catch((cause: unknown) => {
        onFailure(cause);
        return null;
      });
      if (waitMs === null) return false;
      if (waitMs === 0) return true;
      await sleep(waitMs, signal).catch(() => undefined);
    }
    return false;
  };
  return {
    get concurrency() {
      return own.concurrency;
    },
    async acquire(signal) {
      const slot = await own.acquire(signal);
      if (slot === undefined) return undefined;
      const id = newId();
      if (!(await enter(id, signal))) {
        slot.release();
        void leaveLater(id);
        return undefined;
      }
      return {
        get stale() {
          return slot.stale;
        },
        succeed: () => slot.succeed(),
        release() {
          slot.release();
          void leaveLater(id);
        },
        throttle(waitMs, alone) {
          slot.throttle(waitMs, alone);
          rateLimit.close(waitMs).catch(onFailure);
        },
      };
    },
  };
}
