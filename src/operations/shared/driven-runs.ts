import { isRunning } from '../../host/processes/recorded-process.js';
import type { Run } from '../../plan/schema.js';
import type { Environment } from './environment.js';

/** Ids of the runs that this process plans in just now. */
const driven = new Set<string>();

/** Notes that this process plans in a run. @returns what ends that */
export function noteDriven(run: string): () => void {
  driven.add(run);
  return () => {
    driven.delete(run);
  };
}

/**
 * Whether a run of this machine still plans: its process is there, and, where that is this one, has not let go of it.
 * A run whose end could not be written is over all the same.
 */
export async function isDriven(run: Run, { pid }: Pick<Environment, 'pid'>): Promise<boolean> {
  return run.pid === pid ? driven.has(run.id) : isRunning(run);
}
