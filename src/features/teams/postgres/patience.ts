import { setTimeout as wait } from 'node:timers/promises';

import type { PlanError } from '../../../kernel/errors.js';

/** So long a statement is tried again while the server cannot be reached: a restart takes a few seconds. */
const PATIENCE_MS = 20_000;
/** So long before a person is told that it is tried again. */
const SILENT_MS = 1000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

/** What is tried again, and who is told of it. */
export interface Patience {
  /** Whether what was thrown may be over after a while. */
  readonly isWorthIt: (thrown: unknown) => boolean;
  /** What is thrown in its place in the end. @param again whether it was tried more than once */
  readonly explain: (thrown: unknown, again: boolean) => PlanError;
  readonly tell: (message: string) => void;
}

/**
 * Tries until it is done, it is not worth it, or the time is over.
 * @returns also whether it was tried more than once
 * @throws PlanError as explained
 */
export async function patiently<T extends object>(
  { isWorthIt, explain, tell }: Patience,
  work: () => Promise<T>,
): Promise<T & { again: boolean }> {
  const begun = performance.now();
  let isTold = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return { ...(await work()), again: attempt > 0 };
    } catch (cause) {
      const vain = performance.now() - begun;
      if (vain > PATIENCE_MS || !isWorthIt(cause)) throw explain(cause, attempt > 0);
      if (vain > SILENT_MS && !isTold) {
        isTold = true;
        tell(`${explain(cause, true).message}; it is tried again for ${PATIENCE_MS / 1000} seconds`);
      }
      await wait(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt));
    }
  }
}
