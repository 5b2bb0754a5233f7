import type { EventPayload } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import type { Estimate, Goal, PlanFile, Run, Settings } from '../../plan/schema.js';
import type { DocumentOutline } from '../../planning/documents/document-item.js';
import type { Expander } from '../../planning/expander.js';
import type { Diagnosis } from '../../storage/maintenance.js';
import type { OpenStore } from '../../storage/opened-store.js';
import type { PlanLog } from '../../storage/plan-store.js';
import type { StoredActionPlan } from '../planning/agent/judged-answer.js';
import type { Connect } from '../planning/connection.js';
import type { Emit, PlanningResult } from '../planning/planning-progress.js';
import type { StatusReport } from '../reading/status-schema.js';
import type { LineAccount } from '../../kernel/text/line-account.js';
import type { Account } from '../maintenance/account.js';
import type { PartOpener } from './parts.js';

/** Imports what it names when it is called, and not before. */
type Load<T> = () => Promise<T>;

/**
 * What the core asks features for, beside the operations that they bring.
 * @template In what is asked with: the context, which in turn knows the features
 */
export interface Hooks<In> {
  /** Kinds of stores besides files and memory, by the names that a config has for them. */
  readonly stores?: Readonly<Record<string, Load<OpenStore>>>;
  /** What is kept in a store beside plans. */
  readonly parts?: readonly PartOpener[];
  /** Who divides goals without a model. @throws PlanError INVALID_METHOD */
  readonly expander?: Load<(context: In, emit: Emit) => Promise<Expander>>;
  /** Kinds of questions besides those of the core. */
  readonly questions?: Readonly<Record<string, Load<QuestionSource<In>>>>;
  /** Who plans in the place of this process, for `--workers`. */
  readonly delegate?: Load<Delegate<In>>;
  /** What reads files of other tools, for `import` and `init --from`. */
  readonly importer?: Importer<In>;
  /** What `doctor` is told. */
  readonly diagnose?: (this: void, context: In) => Promise<readonly Diagnosis[]>;
  /** What goes with a plan that is deleted for good. */
  readonly purge?: (this: void, context: In, plan: PurgedPlan) => Promise<Purge>;
  /** Which runs `status` shows of a plan: those that need somebody. */
  readonly openRuns?: (this: void, context: In, plan: Plan) => Promise<NonNullable<StatusReport['runs']>>;
}

/** A plan that is deleted for good. */
export interface PurgedPlan {
  readonly id: string;
  /** As it was; null where it cannot be read. */
  readonly plan: Plan | null;
}

/** What goes with a plan that is deleted for good. */
export interface Purge {
  /** Runs of its goals, which are told. */
  readonly runs: readonly string[];
  /** Deletes it, after the plan. @throws PlanError STORAGE_FAILED */
  drop(): Promise<void>;
}

/** What a question of another kind than `expand` is about. */
export interface OtherSubject {
  readonly goal?: string | undefined;
  readonly tools?: string | undefined;
}

/** A kind of question, which an agent answers as a model would. */
export interface QuestionSource<In> {
  /** Asks what it connects to. @returns the goal that it asks about */
  ask(context: In, log: PlanLog, subject: OtherSubject, connect: Connect): Promise<Goal>;
  /** What was given as an answer, as a model would have given it. */
  reply(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Stores what it connects to answers. @returns the action plan that came of it, or what is wrong with the answer */
  store(
    context: In & { readonly emit: Emit },
    log: PlanLog,
    subject: OtherSubject & { readonly goal: string },
    connect: Connect,
  ): Promise<StoredActionPlan | string>;
}

/** Who plans in the place of this process. */
export interface Delegate<In> {
  /** Refuses what cannot be left to it, before anything of the plan is written. @throws PlanError USAGE, WRONG_STATE */
  refuse(
    context: In,
    given: { readonly settings: Settings; readonly review?: boolean | undefined },
  ): Promise<void>;
  /** Leaves a plan to it. @throws PlanError PLANNER_BUSY, STORAGE_FAILED */
  begin(context: In, planning: DelegatedPlanning): Promise<PlanningResult>;
  /** Whether it reaches the plans of this store. */
  isReached(context: In): Promise<boolean>;
  /** How many of its processes live; null where that cannot be known. @throws PlanError STORAGE_FAILED */
  workers(context: In): Promise<number | null>;
  /** The names by which those of them that live enter the calls that they make. @throws PlanError STORAGE_FAILED */
  callers(context: In): Promise<readonly string[]>;
  /** Ends a run that was paused, for whoever goes on. @throws PlanError STORAGE_FAILED */
  end(context: In, paused: { readonly log: PlanLog; readonly run: Run; readonly emit: Emit }): Promise<void>;
}

/** A plan that is left to a delegate. */
export interface DelegatedPlanning {
  readonly log: PlanLog;
  readonly settings: Settings;
  readonly first?: readonly EventPayload[];
  readonly estimate?: () => Promise<Estimate | null>;
  readonly emit: Emit;
}

/** Which tool a file looks like one of, and what reads it: `plan import` of the file or of its folder; null where nothing does. */
export interface ToolOfFile {
  readonly tool: string;
  readonly read: 'import' | 'folder' | null;
}

/** Reads plans and tasks of other tools. */
interface Importer<In> {
  /** @throws PlanError INVALID_INPUT for a folder of no tool that is known, INVALID_PLAN */
  readFolder(context: In, path: string): Promise<PlanToImport>;
  /** Null for what is none, but perhaps a plan file. @throws PlanError INVALID_PLAN */
  readText(context: In, text: string): Promise<PlanToImport | null>;
  /** Null for what looks like no plan of a tool. */
  toolOf(text: string): Promise<ToolOfFile | null>;
  /** Tasks as the outline of a document; null for what is none. @param file its name, for the sources of goals */
  readOutline(
    text: string,
    file: string,
  ): Promise<{ readonly outline: DocumentOutline; readonly account: LineAccount } | null>;
}

/** A plan file that was read to be taken in. */
export interface PlanToImport {
  readonly plan: PlanFile;
  /** What was repaired, in words. */
  readonly repaired: readonly string[];
  /** What happened to each line of what was read. */
  readonly account?: Account;
}
