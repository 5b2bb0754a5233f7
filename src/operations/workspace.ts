import type { Toolbox } from '../execution/tool.js';
import { libraryOf } from './library.js';
import type { Library } from './library.js';
import { createMemoryStore } from '../storage/memory/memory-store.js';
import type { KeptPlans } from '../storage/memory/memory-store.js';
import type { Stamp, StoreWarning } from '../storage/plan-store.js';
import { createContext } from './shared/context.js';
import { defaultEnvironment } from './shared/default-environment.js';
import type { Environment } from './shared/environment.js';

export interface WorkspaceOptions {
  /** The store's folder; found from the working folder upward when it is not given. */
  readonly dir?: string | undefined;
  /** `memory` keeps plans for the life of the workspace and writes no file. */
  readonly store?: 'files' | 'memory' | undefined;
  /** Tools of runs that the program brings itself, in the place of any tools file. */
  readonly toolbox?: Toolbox | undefined;
  /** What is taken from the process otherwise: variables, working folder, clock, ids. */
  readonly environment?: Partial<Environment> | undefined;
  /**
   * Told what failed after a change was stored, such as writing the plan file anew on a full disk. The change stands,
   * and the function that made it returns as usual.
   */
  readonly onWarning?: ((warning: StoreWarning) => void) | undefined;
}

/** Every operation as a function; see `Library`. Nothing is printed, and the process is never ended. */
export type Workspace = Library & {
  /** The same as `prepare`. */
  readonly prepareRun: Library['prepare'];
  /** The same as `approve`. */
  readonly approveRun: Library['approve'];
};

/** Opens a workspace. Touches no file: a store is found, or made, when it is needed. */
export function openWorkspace({
  dir: folder,
  store,
  toolbox,
  environment: given,
  onWarning: warn,
}: WorkspaceOptions = {}): Workspace {
  const environment: Environment = { ...defaultEnvironment(), ...given };
  const kept: KeptPlans = new Map();
  const memory = store === 'memory' ? (stamp: Stamp) => createMemoryStore(stamp, kept) : undefined;
  const library = libraryOf(createContext({ environment, folder, store: memory, toolbox, warn }));
  return { ...library, prepareRun: library.prepare, approveRun: library.approve };
}
