/**
 * What a store holds as it is, line by line and byte for byte, so that another store can have the same. Every kind of store
 * that lasts has one.
 */
export interface StoreContents {
  /** Where it is, for messages. */
  readonly location: string;
  readonly plans: LogsOfStore;
  readonly actionPlans: TextsOfStore;
}

/** The runs that a store holds. */
export interface RunContents {
  readonly runs: LogsOfStore;
  /** What runs keep beside their logs, as `run/sha256`. */
  readonly values: TextsOfStore;
}

/** Logs, each under an id. */
export interface LogsOfStore {
  ids(): Promise<readonly string[]>;
  /** @throws PlanError STORE_DAMAGED when not all of it can be read, STORAGE_FAILED */
  read(id: string): Promise<LogContents | null>;
  /**
   * Makes a log of lines, or puts lines at the end of one, if it is then as it was read.
   * @param after how many lines the log has, as {@link read} said; null where there was none
   * @returns false when somebody else wrote meanwhile
   * @throws PlanError STORAGE_FAILED
   */
  write(id: string, contents: LogContents, after: number | null): Promise<boolean>;
}

/** Events of a log as their lines, in the order in which they count, each once. */
export interface LogContents {
  readonly lines: readonly string[];
  /** Whether it lies where 0.1 moved archived plans. */
  readonly inArchive: boolean;
}

/** Bytes, each under a name. */
export interface TextsOfStore {
  names(): Promise<readonly string[]>;
  /** @throws PlanError STORAGE_FAILED */
  read(name: string): Promise<Buffer | null>;
  /** Keeps bytes under a name that is free. @returns false when it is not @throws PlanError STORAGE_FAILED */
  write(name: string, content: Buffer): Promise<boolean>;
}
