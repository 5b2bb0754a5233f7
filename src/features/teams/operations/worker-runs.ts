import type { RunContext } from '../../../operations/operation.js';
import type { Team } from '../team.js';

/** The runs of action plans that one worker sees to. */
export interface WorkerRuns {
  /** Carries a run out, or goes on with it, if that is left to workers still. @throws PlanError STORAGE_FAILED */
  carryOut(runId: string): Promise<void>;
  /** The runs that this worker leaves to others for now. */
  avoided(): readonly string[];
  /** Sees that every run has a job that is left to workers and that nobody carries out. @throws PlanError STORAGE_FAILED */
  sweep(): Promise<void>;
  /** Whether workers have any run to carry out. One that waits for a person is none. @throws PlanError STORAGE_FAILED */
  hasWork(): Promise<boolean>;
  /** The runs that this worker has had in hand. */
  readonly taken: ReadonlySet<string>;
}

export interface WorkerRunsOptions {
  /** What runs are carried out with; its signals end them. */
  readonly context: RunContext;
  readonly team: Team;
}

/** Sees to no run. */
export function createNoRuns(_options: WorkerRunsOptions): WorkerRuns {
  return {
    carryOut: async () => undefined,
    avoided: () => [],
    sweep: async () => undefined,
    hasWork: async () => false,
    taken: new Set(),
  };
}
