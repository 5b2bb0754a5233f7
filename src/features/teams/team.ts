/** A goal that waits to be expanded, as a job for whichever worker takes it. A hint: whoever takes it looks at the plan. */
export interface GoalJob {
  readonly plan: string;
  readonly goal: string;
  /** Jobs of a lower number are taken first. */
  readonly turn: number;
}

/** What all workers together may ask of a model; a limit that is not set is left out. */
export interface SharedLimits {
  /** Requests under way at once. */
  readonly concurrency?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
}

/** How all workers together ask one model. */
export interface SharedRateLimit {
  /**
   * Takes leave for one request, under an id of its own.
   * @returns 0 when it was given, else how many milliseconds to wait before asking again, also where the database cannot be reached
   * @throws PlanError STORAGE_FAILED for what the database refuses
   */
  enter(id: string): Promise<number>;
  /**
   * Gives the leave back.
   * @returns false where the database cannot be reached: it is to be given back later
   * @throws PlanError STORAGE_FAILED for what the database refuses
   */
  leave(id: string): Promise<boolean>;
  /**
   * Has nobody ask the model for so many milliseconds; this process alone where the database cannot be reached.
   * @throws PlanError STORAGE_FAILED for what the database refuses
   */
  close(waitMs: number): Promise<void>;
  /** For how many milliseconds nobody may ask it, as far as this process has heard. */
  closedFor(): number;
}

/** What is done for a team while this process is a member of it. */
export interface TeamWork {
  /** Jobs in hand at once, without those that are ending. */
  readonly concurrency: number;
  /** When it aborts, no further job is taken; those in hand are finished. */
  readonly signal: AbortSignal;
  /**
   * Does a job; what it throws has the job done again, later.
   * @param ending to be called when nothing is left but to store what came of it: another job is taken meanwhile
   */
  readonly handle: (job: GoalJob, ending: () => void) => Promise<void>;
  /** Carries out the run of an action plan, or goes on with it; what it throws has the job done again, later. */
  readonly carryOut: (run: string) => Promise<void>;
  /** The runs whose jobs this process does not take just now. */
  readonly avoided: () => readonly string[];
  /** Called about every second in one process of the team, to see that nothing waits without a job. */
  readonly sweep: () => Promise<void>;
  /** Told what a person should know, such as a lost connection. */
  readonly notice: (message: string) => void;
}

/** What the processes that plan together in one database share beside the plans themselves. */
export interface Team {
  /** Makes what it needs in the database. Safe when several do so at once. @throws PlanError STORAGE_FAILED, INVALID_CONFIG for a user of the database who may not work */
  prepare(): Promise<void>;
  /**
   * Takes jobs until the signal aborts. The jobs of a member that dies are free again within a second.
   * @throws PlanError STORAGE_FAILED where the database cannot be reached to begin with
   */
  work(work: TeamWork): Promise<void>;
  /** Sees that each of these goals has a job. @throws PlanError STORAGE_FAILED */
  offer(jobs: readonly GoalJob[]): Promise<void>;
  /** Enters a job that this process has in hand once more, to be done after a time. @throws PlanError STORAGE_FAILED */
  putOff(job: GoalJob, delayMs: number): Promise<void>;
  /**
   * How many jobs of a plan are in hand, and how many wait. Changes nothing.
   * @throws PlanError STORAGE_FAILED, INVALID_CONFIG for a user of the database from whom jobs are hidden
   */
  jobsOf(planId: string): Promise<{ readonly inHand: number; readonly waiting: number }>;
  /** Has jobs of a plan that failed be due again within seconds: the engine puts them off for longer and longer. @throws PlanError STORAGE_FAILED */
  hasten(planId: string): Promise<void>;
  /** Notes that workers plan a plan in a run, unless that is noted. @throws PlanError STORAGE_FAILED */
  begin(planId: string, run: string): Promise<void>;
  /** Notes that the run is over. @throws PlanError STORAGE_FAILED */
  end(planId: string, run: string): Promise<void>;
  /** Forgets a plan that is gone. @throws PlanError STORAGE_FAILED */
  forget(planId: string): Promise<void>;
  /** The plans that workers plan. @throws PlanError STORAGE_FAILED */
  plans(): Promise<readonly { readonly plan: string; readonly run: string }[]>;
  /** Sees that a run that is left to workers has a job which nobody has in hand. @throws PlanError STORAGE_FAILED */
  offerRun(run: string): Promise<void>;
  /** The runs that were left to workers, and whether each has a job; one that failed is due again within seconds. @throws PlanError STORAGE_FAILED */
  runs(): Promise<readonly { readonly run: string; readonly hasJob: boolean }[]>;
  /** Notes that workers have nothing to do with a run any more. @throws PlanError STORAGE_FAILED */
  forgetRun(run: string): Promise<void>;
  /**
   * Holds a name as long as this process lives, or until it is let go: the run of an action plan, say.
   * @returns lets it go; null when another process holds it
   * @throws PlanError STORAGE_FAILED
   */
  hold(name: string): Promise<(() => Promise<void>) | null>;
  /** Whether some process holds a name. @throws PlanError STORAGE_FAILED */
  isHeld(name: string): Promise<boolean>;
  /** How many workers live; null where this user of the database may not know. @throws PlanError STORAGE_FAILED */
  living(): Promise<number | null>;
  /** The name by which this process enters calls, as long as it lives. */
  readonly caller: string;
  /** Those of the workers that have not been given up. @throws PlanError STORAGE_FAILED */
  callers(): Promise<readonly string[]>;
  /** Seconds since the workers began to plan a plan, by the clock of the database. @throws PlanError STORAGE_FAILED */
  secondsOf(planId: string): Promise<number>;
  rateLimit(model: string, limits: SharedLimits): SharedRateLimit;
}
