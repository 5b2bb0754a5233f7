import { libraryOf } from './library.js';
import type { Library } from './library.js';
import { createMemoryStore } from '../storage/memory/memory-store.js';
import type { StoreWarning } from '../storage/plan-store.js';
import type { CompleteOptions, CompletionReport } from './work/complete-goal.js';
import { createContext } from './shared/context.js';
import { defaultEnvironment } from './shared/default-environment.js';
import type { EstimateOptions, EstimateReport } from './planning/estimate-planning.js';
import type { DigestOptions, DigestReport } from './work/digest-goal.js';
import { actorOf } from './shared/environment.js';
import type { Environment } from './shared/environment.js';

export interface WorkspaceOptions {
  /** The store's folder; found from the working folder upward when it is not given. */
  readonly dir?: string | undefined;
  /** `memory` keeps plans for the life of the workspace and writes no file. */
  readonly store?: 'files' | 'memory' | undefined;
  /** What is taken from the process otherwise: variables, working folder, clock, ids. */
  readonly environment?: Partial<Environment> | undefined;
  /**
   * Told what failed after a change was stored, such as writing the plan file anew on a full disk. The change stands,
   * and the function that made it returns as usual.
   */
  readonly onWarning?: ((warning: StoreWarning) => void) | undefined;
}

/**
 * Every command of `plan` as a function with the same options and the same data. Nothing is printed, and
 * the process is never ended. Each may throw a PlanError; the codes are in docs/commands.md.
 */
export interface Workspace extends Library {
  /** Makes the digests that finished goals lack, or makes them again. */
  digest(options?: DigestOptions): Promise<DigestReport>;
  /** What planning a goal, or resuming a plan, would take; asks nothing. */
  estimate(options?: EstimateOptions): Promise<EstimateReport>;
  /** Marks a goal as done, with what came of it. */
  complete(goal: string, options?: CompleteOptions): Promise<CompletionReport>;
}

/** Opens a workspace. Touches no file: a store is found, or made, when it is needed. */
export function openWorkspace(options: WorkspaceOptions = {}): Workspace {
  const environment: Environment = { ...defaultEnvironment(), ...options.environment };
  const memory = options.store === 'memory' ? memoryStore(environment) : undefined;
  const { dir: folder, onWarning: warn } = options;
  const context = createContext({ environment, folder, store: memory, warn });

  // Each use case is loaded when it is called, so that a short command starts fast.
  return {
    ...libraryOf(context),
    digest: async (given = {}) => (await import('./work/digest-goal.js')).digestPlan(context, given),
    estimate: async (given = {}) =>
      (await import('./planning/estimate-planning.js')).estimatePlan(context, given),
    complete: async (goal, given = {}) =>
      (await import('./work/complete-goal.js')).completeGoal(context, goal, given),
  };
}

function memoryStore(environment: Environment) {
  return createMemoryStore(() => ({
    id: environment.ids.eventId(),
    at: new Date(environment.now()).toISOString(),
    by: actorOf(environment),
  }));
}
