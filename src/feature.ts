import type { ExportFormat, FolderFormat } from './exports/registry.js';
import type { OperationTable } from './operations/registered-operation.js';
import type { Context } from './operations/shared/context.js';
import type { Hooks } from './operations/shared/hooks.js';

/** A name that a shell completes, and what it stands for. */
export type NameRow = readonly [name: string, words: string];

/**
 * What a feature adds to the core, in `registry.ts` of its folder. All of it is data but for functions, which import code
 * when they are called. How the command line shows it is in its `commands.ts`, which the library does not reach.
 */
export interface Feature extends Hooks<Context> {
  /** That of its folder. */
  readonly name: string;
  /** Operations by the names of their commands. */
  readonly operations?: OperationTable;
  /** Formats to write a plan in, by the names a command takes. */
  readonly formats?: Readonly<Record<string, ExportFormat>>;
  readonly folderFormats?: Readonly<Record<string, FolderFormat>>;
  /** What shells complete in place of a word in angle brackets, by that word: `rule`. */
  readonly names?: Readonly<Record<string, (context: Context) => Promise<readonly NameRow[]>>>;
}

/** A feature that brings the operations of a table. */
export type FeatureWith<Operations extends OperationTable> = Omit<Feature, 'operations'> & {
  readonly operations: Operations;
};
