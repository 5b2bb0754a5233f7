import { PlanError } from '../../../kernel/errors.js';
import type { RunStore } from './run-store.js';

/** A lock, and the run that holds it. */
export interface HeldLock {
  readonly lock: string;
  readonly run: string;
}

/** Of the locks that runs have taken those of runs that are not over. */
export async function stillHeld(
  locks: readonly HeldLock[],
  isOver: (run: string) => Promise<boolean>,
): Promise<readonly HeldLock[]> {
  const held: HeldLock[] = [];
  for (const one of locks) if (!(await isOver(one.run))) held.push(one);
  return held;
}

/** The run that holds a lock; null when none does. */
export function lockHolder(locks: readonly HeldLock[], lock: string): string | null {
  return locks.find((one) => one.lock === lock)?.run ?? null;
}

/**
 * Whether a run has no held locks any more: it has ended, or there is none. What cannot be read may hold what it
 * held.
 */
export async function holdsNothing(store: Pick<RunStore, 'open'>, run: string): Promise<boolean> {
  try {
    return (await store.open(run)).run.ended !== null;
  } catch (thrown) {
    if (thrown instanceof PlanError && thrown.code === 'E_PLAN_NOT_FOUND') return true;
    if (thrown instanceof PlanError && thrown.code === 'STORE_DAMAGED') return false;
    throw thrown;
  }
}
