import type { Toolbox } from './features/runs/model/tool.js';
import { ALL_OPERATIONS } from './features.js';
import type { AllOperations } from './features.js';
import { libraryOf } from './operations/library.js';
import type { LibraryOf } from './operations/library.js';
import { PlanError } from './kernel/errors.js';
import { createMemoryStore } from './storage/memory/memory-store.js';
import type { StoredPlans } from './storage/memory/memory-store.js';
import type { Stamp, StoreWarning } from './storage/plan-store.js';
import { createContext } from './operations/shared/context.js';
import { defaultEnvironment } from './operations/shared/default-environment.js';
import type { Environment } from './operations/shared/environment.js';

export interface WorkspaceOptions {
  /** The store's folder; found from the working folder upward when it is not given. */
  readonly dir?: string | undefined;
  /**
   * `memory` keeps plans for the life of the workspace and writes no file; `postgres` keeps them in a database, whatever the
   * project's config says; `files` is where that says.
   */
  readonly store?: 'files' | 'memory' | 'postgres' | undefined;
  /** The database of `postgres`, where it is not the user's own: `postgres://user:password@host/database`. */
  readonly databaseUrl?: string | undefined;
  /** Tools of runs that the program brings itself, in place of any tools file. */
  readonly toolbox?: Toolbox | undefined;
  /** What is taken from the process otherwise: variables, working folder, clock, ids. */
  readonly environment?: Partial<Environment> | undefined;
  /**
   * Told what failed after a change was stored, such as writing the plan file anew on a full disk. The change stands,
   * and the function that made it returns as usual.
   */
  readonly onWarning?: ((warning: StoreWarning) => void) | undefined;
}

/** Every operation, of the core and of the features, as a function; see `LibraryOf`. */
export type Library = LibraryOf<AllOperations>;

/** The library, opened. Nothing is printed, and the process is never ended. */
export type Workspace = Library & {
  /** The same as `prepare`. */
  readonly prepareRun: Library['prepare'];
  /** The same as `approve`. */
  readonly approveRun: Library['approve'];
  /**
   * Ends the connections to the database, where plans are in one, once what is under way is answered. For programs that go on
   * without it: connections keep no process from ending. A function that is called afterwards connects again.
   */
  close(): Promise<void>;
};

/**
 * Opens a workspace. Touches no file and connects to nothing: a store is found, or made, when it is needed.
 * @throws PlanError USAGE for a database without `store: 'postgres'`
 */
export function openWorkspace({
  dir: folder,
  store,
  databaseUrl: url,
  toolbox,
  environment: given,
  onWarning: warn,
}: WorkspaceOptions = {}): Workspace {
  if (url !== undefined && store !== 'postgres')
    throw new PlanError('USAGE', "databaseUrl goes with store: 'postgres'");
  const database = store === 'postgres' ? { url } : undefined;
  const environment: Environment = { ...defaultEnvironment(), ...given };
  const kept: StoredPlans = new Map();
  const memory = store === 'memory' ? (stamp: Stamp) => createMemoryStore(stamp, kept) : undefined;
  const context = createContext({ environment, folder, store: memory, database, toolbox, warn });
  const library = libraryOf(context, ALL_OPERATIONS);
  const close = () => context.close();
  return { ...library, prepareRun: library.prepare, approveRun: library.approve, close };
}
