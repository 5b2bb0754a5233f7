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
