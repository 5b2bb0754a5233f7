import { ALL_OPERATIONS, FEATURES } from './features.js';
import type { AllOperations } from './features.js';
import { broughtForRuns, runAliases } from './features/runs/workspace.js';
import type { RunAliases, RunOptions } from './features/runs/workspace.js';
import { libraryOf } from './operations/library.js';
import type { LibraryOf } from './operations/library.js';
import { PlanError } from './kernel/errors.js';
import { createMemoryStore } from './storage/memory/memory-store.js';
import type { StoredPlans } from './storage/memory/memory-store.js';
import type { Stamp, StoreWarning } from './storage/plan-store.js';
import type { PartOpener } from './operations/shared/parts.js';
import { createContext } from './operations/shared/context.js';
import { defaultEnvironment } from './operations/shared/default-environment.js';
import type { Environment } from './operations/shared/environment.js';

export interface WorkspaceOptions extends RunOptions {
  /** The store's folder; found from the working folder upward when it is not given. */
  readonly dir?: string | undefined;
  /**
   * `memory` keeps plans for the life of the workspace and writes no file; `postgres` keeps them in a database, whatever the
   * project's config says; `files` is where that says.
   */
  readonly store?: 'files' | 'memory' | 'postgres' | undefined;
  /** The database of `postgres`, where it is not the user's own: `postgres://user:password@host/database`. */
  readonly databaseUrl?: string | undefined;
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
export type Workspace = Library &
  RunAliases & {
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
export function openWorkspace(options: WorkspaceOptions = {}): Workspace {
  const { dir: folder, store, databaseUrl: url, environment: given, onWarning: warn } = options;
  if (url !== undefined && store !== 'postgres')
    throw new PlanError('USAGE', "databaseUrl goes with store: 'postgres'");
  const database = store === 'postgres' ? { url } : undefined;
  const environment: Environment = { ...defaultEnvironment(), ...given };
  const kept: StoredPlans = new Map();
  const memory = store === 'memory' ? (stamp: Stamp) => createMemoryStore(stamp, kept) : undefined;
  const parts: readonly PartOpener[] = [...broughtForRuns(options)];
  const features = [...FEATURES, { name: 'the program', parts }];
  const context = createContext({ environment, folder, store: memory, database, features, warn });
  const library = libraryOf(context, ALL_OPERATIONS);
  const close = () => context.close();
  return { ...library, ...runAliases(library), close };
}
