/**
 * Looking after what a store keeps: what is wrong with it, and what can be taken out of it as it is. Every
 * implementation passes the same contract suite.
 */
export interface Maintenance {
  /**
   * Looks at all that the store keeps, one part after another. A part is looked at when it is asked for, so that what was
   * found before can be mended first.
   * @param keep what counts where a snapshot and its log differ
   * @throws PlanError STORAGE_FAILED
   */
  examine(keep?: 'file' | 'log'): AsyncIterable<Examination>;

  /** The text of a plan's snapshot as it is kept; null when there is none. @throws PlanError STORAGE_FAILED */
  snapshot(planId: string): Promise<string | null>;

  /**
   * Keeps a copy, byte for byte, of a file that came with a repository. Nothing is overwritten, and one that is there already is
   * not made again.
   * @param under what the copies are of, such as `legacy`
   * @returns the name of the copy; null where nothing is kept
   * @throws PlanError STORAGE_FAILED
   */
  keepCopy(path: string, under: string): Promise<string | null>;
}

/** What was found of one part of a store. */
export interface Examination {
  /** The plan that it is of; null for the store as a whole. */
  readonly plan: string | null;
  readonly diagnoses: readonly Diagnosis[];
  /** Copies what would be mended, and says where; null where there is nothing to copy. @throws PlanError STORAGE_FAILED */
  readonly backUp: (() => Promise<string>) | null;
}

/** What is wrong with a file of a store, and what would mend it. */
export interface Diagnosis {
  readonly code: string;
  readonly severity: 'note' | 'warning' | 'error';
  readonly file: string;
  readonly message: string;
  readonly cure: string;
  /** Mends it and says how, or null when that did not work; absent when it is for a person to do. */
  readonly mend?: (() => Promise<string | null>) | undefined;
  /** Notes that it was looked at and may stay so, and says what that means; absent where that makes no sense. */
  readonly accept?: (() => Promise<string>) | undefined;
}
