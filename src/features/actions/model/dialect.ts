import type { ActionPlan } from './action-plan.js';
import type { JsonNode } from '../../../kernel/json/json-scanner.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { Cursor, Reading } from './reading.js';
import type { Reference, ReferenceSyntax } from './references.js';

/** The forms of action plans that are read and written. */
export const DIALECT_NAMES = ['obsidian', 'wa', 'soulbrowser', 'plan-lint', 'frctl'] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];

/** One form of action plans. */
export interface Dialect {
  readonly name: DialectName;
  /** What people call the system. */
  readonly title: string;
  /** Which references its strings can hold. */
  readonly references: ReferenceSyntax;
  /**
   * Where a document carries what it has no place for: in metadata of the plan, in that of each step, in a
   * file beside it, or nowhere, as there is a place for everything.
   */
  readonly slot: 'metadata' | 'step metadata' | 'sidecar' | 'none';
  /** Where in a document the plan is: the empty pointer unless it is wrapped; null where there is none of this dialect. */
  find(root: JsonNode): JsonPointer | null;
  /** Whether an id of a step is one that the dialect takes. */
  allowsId(id: string): boolean;
  /** The spelling of the dialect that a plan is written in where it names none. */
  usualVariant(plan: ActionPlan): string | null;
  /** How a reference is spelled, whole in a string or with text around it; null where there is no way to. */
  spell(reference: Reference, whole: boolean): string | null;
  /**
   * Reads a plan. What is wrong is noted in `reading`, and so is where the parts come from; after a problem the
   * plan is not to be used.
   */
  read(body: Cursor, reading: Reading): DialectReading;
  /**
   * Writes what the dialect can say of a plan, members in the dialect's order. What it cannot say is left
   * out.
   * @param variant as `read` gave it
   */
  write(plan: ActionPlan, variant: string | null): JsonObject;
}

export interface DialectReading {
  readonly plan: ActionPlan;
  /** Which of the spellings of the dialect it is, where there are several; else null. */
  readonly variant: string | null;
}
