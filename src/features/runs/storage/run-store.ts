import type { RunPayloadOf } from '../model/run-events.js';
import type { RunLog } from '../model/run-log.js';
import type { Run } from '../model/run.js';

/** Keeps runs of action plans, each as a log of events. Every store passes the same contract suite. */
export interface RunStore {
  /** Where it is, for messages. */
  readonly location: string;

  /** Where the log of a run is, for messages. */
  readonly locationOf: (run: string) => string;

  /**
   * Makes the log of a run; durable when the promise resolves.
   * @throws PlanError WRONG_STATE when there is a run of that id, STORAGE_FAILED
   */
  create(prepared: RunPayloadOf<'run_prepared'>): Promise<RunLog>;

  /** @throws PlanError E_PLAN_NOT_FOUND, also for what is no id; STORE_DAMAGED, STORAGE_FAILED */
  open(run: string): Promise<RunLog>;

  /**
   * Every run that can be read, the one prepared last first, and what is wrong with the others.
   * @param which `open` leaves out those that are over
   */
  list(which?: 'open'): Promise<RunListing>;

  readonly locks: RunLocks;

  /** Deletes a run for good, with its outputs. @throws PlanError E_PLAN_NOT_FOUND, STORAGE_FAILED */
  purge(run: string): Promise<void>;
}

/**
 * Locks with names, which runs of one store hold against each other. A run holds what it took until it gives it back or is
 * over, whatever became of the process that carried it out.
 */
export interface RunLocks {
  /** Takes a lock for a run. @returns the run that holds it now: this one when it was free or its own already. @throws PlanError STORAGE_FAILED */
  take(lock: string, run: string): Promise<string>;
  /** Gives a lock back; one of another run stays. @throws PlanError STORAGE_FAILED */
  giveBack(lock: string, run: string): Promise<void>;
  /** The run that holds a lock; null when it is free. @throws PlanError STORAGE_FAILED */
  holder(lock: string): Promise<string | null>;
}

export interface RunListing {
  readonly runs: readonly Run[];
  readonly problems: readonly { readonly run: string; readonly code: string; readonly message: string }[];
}
