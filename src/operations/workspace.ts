import { libraryOf } from './library.js';
import type { Library } from './library.js';
import { createMemoryStore } from '../storage/memory/memory-store.js';
import type { StoreWarning } from '../storage/plan-store.js';
import type { CompleteOptions, CompletionReport } from './work/complete-goal.js';
import type { Conversion, ConvertOptions } from './action-plans/convert-action-plan.js';
import type { ActionPlanHash, HashOptions } from './action-plans/hash-action-plan.js';
import type { ConfigReport, ConfigTest, ConfigTestOptions, TrustedPrompts } from './settings/configure.js';
import { createContext } from './shared/context.js';
import { defaultEnvironment } from './shared/default-environment.js';
import type { EstimateOptions, EstimateReport } from './planning/estimate-planning.js';
import type { DigestOptions, DigestReport } from './work/digest-goal.js';
import { actorOf } from './shared/environment.js';
import type { DraftOptions, DraftReport } from './action-plans/draft-action-plan.js';
import type { Environment } from './shared/environment.js';
import type { LintedPlans, LintPlansOptions } from './action-plans/lint-plans.js';
import type { RuleReport } from './action-plans/lint-rules.js';
import type { PublishedPlanFile } from './maintenance/publish-plan.js';
import type { PreviewOptions, PreviewReport } from './action-plans/preview-action-plan.js';

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
  /** Drafts the action plan of an atomic goal; without a goal, reads a request. */
  draft(goal?: string, options?: DraftOptions): Promise<DraftReport>;
  /** What a person sees of an action plan, by its id or its path. */
  preview(idOrFile: string, options?: PreviewOptions): Promise<PreviewReport>;
  /** Writes the plan file from the log; that of a large plan may be behind otherwise. */
  publish(plan?: string): Promise<PublishedPlanFile>;
  /** Checks action plans in files against every rule and a policy. */
  lint(options: LintPlansOptions): Promise<LintedPlans>;
  /** The rules of `lint`; or the one of a name. */
  lintRules(name?: string): Promise<readonly RuleReport[]>;
  /** Writes an action plan in another dialect; refuses where it would not do the same, unless `lossy`. */
  convert(options: ConvertOptions): Promise<Conversion>;
  /** The digest of an action plan, and wa's ids of a wa plan. */
  hash(options: HashOptions): Promise<ActionPlanHash>;
  readonly config: {
    show(): Promise<ConfigReport>;
    set(change: {
      readonly name: string;
      /** null removes the setting. */
      readonly value: string | null;
      readonly user?: boolean | undefined;
    }): Promise<{ readonly name: string; readonly file: string }>;
    trust(baseUrl: string): Promise<{ readonly base_url: string; readonly file: string }>;
    /** Trusts the prompts of the repository as they are now; with a digest, only those. */
    trustPrompts(digest?: string): Promise<TrustedPrompts>;
    test(flags?: ConfigTestOptions): Promise<ConfigTest>;
  };
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
    draft: async (goal, given = {}) =>
      (await import('./action-plans/draft-action-plan.js')).draftActionPlan(context, goal, given),
    preview: async (name, given = {}) =>
      (await import('./action-plans/preview-action-plan.js')).previewActionPlan(context, name, given),
    publish: async (plan) => (await import('./maintenance/publish-plan.js')).publishPlan(context, plan),
    lint: async (given) => (await import('./action-plans/lint-plans.js')).lintPlans(context, given),
    lintRules: async (name) => (await import('./action-plans/lint-rules.js')).lintRules(name),
    convert: async (given) =>
      (await import('./action-plans/convert-action-plan.js')).convertActionPlanFile(context, given),
    hash: async (given) =>
      (await import('./action-plans/hash-action-plan.js')).hashActionPlan(context, given),
    config: {
      show: async () => (await import('./settings/configure.js')).showConfig(context),
      set: async (change) =>
        (await import('./settings/configure.js')).setConfig(context, {
          ...change,
          user: change.user === true,
        }),
      trustPrompts: async (digest) => (await import('./settings/configure.js')).trustPrompts(context, digest),
      trust: async (baseUrl) => (await import('./settings/configure.js')).trustBaseUrl(context, baseUrl),
      test: async (flags = {}) => (await import('./settings/configure.js')).testConfig(context, flags),
    },
  };
}

function memoryStore(environment: Environment) {
  return createMemoryStore(() => ({
    id: environment.ids.eventId(),
    at: new Date(environment.now()).toISOString(),
    by: actorOf(environment),
  }));
}
