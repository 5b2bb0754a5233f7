import type { SpendingNotes } from './spending-notes.js';

/**
 * The documents of a store, beside its plans: what people and commands write there that no event holds. Every
 * implementation passes the same contract suite.
 */
export interface Documents {
  readonly actionPlans: ActionPlanDocuments;
  /** The last proposal of a replanning, by goal. It is the user's own, and no part of the plan. */
  readonly proposals: KeyedTexts;
  /** What a checklist and a plan said alike when they were brought in step last, under the plan’s id and a suffix for the file. */
  readonly checklists: ChecklistDocuments;
  /** What calls of models may have used that the logs do not say yet. */
  readonly spending: SpendingNotes;
  /** The project's settings; null where a store has none that could be kept. */
  readonly settings: SettingsDocument | null;

  /**
   * What the project puts in place of built-in prompts, or beside built-in methods, by name.
   * @throws PlanError STORAGE_FAILED, INVALID_INPUT for one that is no text or is larger than any that people write
   */
  supplied(kind: SuppliedKind): Promise<readonly SuppliedDocument[]>;

  /**
   * A file that the project brings for running action plans, as it stands now; null when there is none.
   * @throws PlanError STORAGE_FAILED, INVALID_INPUT as above
   */
  brought(name: BroughtName): Promise<SuppliedDocument | null>;
}

/** What a project can bring for running action plans: what its tools are, and who may approve. */
type BroughtName = 'tools.yaml' | 'approvers';

/** What a project can bring that is used in planning. */
export type SuppliedKind = 'prompts' | 'methods';

export interface SuppliedDocument {
  /** With its ending, such as `expand.user.md`. */
  readonly name: string;
  readonly text: string;
  /** Where it is, for messages. */
  readonly location: string;
}

/** Action plans, each under an id of its own (`ap-…`); which goal has which is said by events. */
export interface ActionPlanDocuments {
  /**
   * Keeps an action plan; durable when the promise resolves. It is there as a whole or not at all, and what is there is never
   * overwritten.
   * @param textFor its text, which holds its id
   * @param newId draws ids until one is free
   * @returns the id
   * @throws PlanError STORAGE_FAILED, INVALID_INPUT for what is no id
   */
  keep(textFor: (id: string) => string, newId: () => string): Promise<string>;

  /** The text as it was kept. @throws PlanError FILE_NOT_FOUND, INVALID_INPUT for what is no id, STORAGE_FAILED */
  read(id: string): Promise<string>;

  /** Removes one; one that is gone already is none. @throws PlanError INVALID_INPUT for what is no id, STORAGE_FAILED */
  drop(id: string): Promise<void>;

  /** Where people find it; null where it is nowhere but in the store. @throws PlanError INVALID_INPUT for what is no id */
  locate(id: string): string | null;

  /**
   * The ids that any plan of the store names: what a goal has, had, or would have again after an undoing.
   * @returns null when that cannot be told
   */
  named(): Promise<ReadonlySet<string> | null>;
}

/** Texts that each stand under a key: an id, or an id and a suffix after a hyphen. */
export interface KeyedTexts {
  /**
   * The text that was kept last; null when there is none, or none that can be read.
   * @throws PlanError INVALID_INPUT for what is no id
   */
  read(key: string): Promise<string | null>;
  /** Keeps a text in place of the one before. @throws PlanError STORAGE_FAILED, INVALID_INPUT for what is no id */
  keep(key: string, text: string): Promise<void>;
  /** Removes all that was kept for a plan. @throws PlanError STORAGE_FAILED, INVALID_INPUT for what is no plan's id */
  dropAll(planId: string): Promise<void>;
}

/** What checklists and plans said alike. */
interface ChecklistDocuments extends KeyedTexts {
  /**
   * Does something while nobody else does the same for the plan, in this process or another.
   * @throws PlanError STORAGE_FAILED when somebody else is at it for some ten seconds; what `work` throws
   */
  alone<T>(planId: string, work: () => Promise<T>): Promise<T>;
}

/** The settings of a project, as the text that people may write themselves. */
export interface SettingsDocument {
  /** Where it is, for messages. */
  readonly location: string;
  /** The text as it is; null when there is none. @throws PlanError STORAGE_FAILED, INVALID_INPUT when it is no text */
  read(): Promise<string | null>;
  /**
   * Puts another text in its place, which is made of what is there while no other process changes it. Durable when the promise resolves.
   * @param change null where it is to stay as it is; then nothing is written
   * @throws PlanError STORAGE_FAILED; whatever `change` throws, and then nothing is changed
   */
  change(change: (text: string | null) => string | null): Promise<void>;
}
