import type { LibraryOf } from '../../operations/library.js';
import { partOpener } from '../../operations/shared/parts.js';
import type { PartOpener } from '../../operations/shared/parts.js';
import type { Toolbox } from './model/tool.js';
import { TOOLBOX } from './parts.js';
import type { runs } from './registry.js';

/** What a workspace takes for runs of action plans. */
export interface RunOptions {
  /** Tools of runs that the program brings itself, in place of any tools file. */
  readonly toolbox?: Toolbox | undefined;
}

type RunLibrary = LibraryOf<typeof runs.operations>;

/** What a workspace has besides the operations. */
export interface RunAliases {
  /** The same as `prepare`. */
  readonly prepareRun: RunLibrary['prepare'];
  /** The same as `approve`. */
  readonly approveRun: RunLibrary['approve'];
}

/** Returns the parts that a program brings with its options. */
export function broughtForRuns({ toolbox }: RunOptions): readonly PartOpener[] {
  return toolbox === undefined ? [] : [partOpener({ part: TOOLBOX, store: null, open: async () => toolbox })];
}

/** Returns operations under their second names. */
export function runAliases({ prepare, approve }: Pick<RunLibrary, 'prepare' | 'approve'>): RunAliases {
  return { prepareRun: prepare, approveRun: approve };
}
