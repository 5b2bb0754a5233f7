import type * as z from 'zod';

import type { EventOf, Operation } from './operation.js';

/** The groups of the help, in its order. */
export const OPERATION_GROUPS = [
  'start',
  'look',
  'work',
  'change',
  'plan further',
  'action plans',
  'store and settings',
] as const;

/** Where an operation is in the help. */
export type OperationGroup = (typeof OPERATION_GROUPS)[number];

/** What is known of an operation without loading it. */
export interface RegisteredOperation<Of = Operation> {
  readonly group: OperationGroup;
  /** Of a feature: the operation that it follows in the help; else it follows those of its group. */
  readonly after?: string;
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
  /** It tells events while it runs, those of planning or its own; in the library it returns a run instead of a promise. */
  readonly streams?: 'planning' | 'own';
  /** Imports its module; commands that do without it start faster. */
  readonly load: () => Promise<Of>;
}

/** Operations by the names of their commands. */
export type OperationTable = Readonly<Record<string, RegisteredOperation>>;

/** An operation of a table. */
export type OperationIn<Table extends OperationTable, Name extends keyof Table> = Awaited<
  ReturnType<Table[Name]['load']>
>;

/** What an operation of a table takes. */
export type InputIn<Table extends OperationTable, Name extends keyof Table> = z.input<
  OperationIn<Table, Name>['input']
>;

/** The events that an operation of a table tells of its own. */
export type EventIn<Table extends OperationTable, Name extends keyof Table> = EventOf<
  OperationIn<Table, Name>
>;

/** What an operation of a table comes to. */
export type ResultIn<Table extends OperationTable, Name extends keyof Table> = Awaited<
  ReturnType<OperationIn<Table, Name>['run']>
>;
