import type { Operation } from './operation.js';

/** Where an operation is in the help. */
export type OperationGroup =
  'start' | 'look' | 'work' | 'change' | 'plan further' | 'action plans' | 'store and settings';

/** What is known of an operation without loading it. */
export interface RegisteredOperation<Of = Operation> {
  readonly group: OperationGroup;
  /** What it does, in a line that begins with a verb. */
  readonly summary: string;
  /** Of the first of the operations whose names begin with the same word: what they do in all. */
  readonly commandSummary?: string;
  /** The first screen of the help shows it; the others come with `plan help --all`. */
  readonly everyday?: boolean;
  /** Other names of the command. */
  readonly aliases?: readonly string[];
  /** Of the operations whose names begin with the same word: the one that is meant by that word alone. */
  readonly isDefault?: boolean;
  /**
   * It tells events while it runs, those of planning or those of a run of an action plan; in the library it returns a
   * run instead of a promise.
   */
  readonly streams?: true | 'run';
  /** Imports its module; commands that do without it start faster. */
  readonly load: () => Promise<Of>;
}
