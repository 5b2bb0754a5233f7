import type { JsonPointer } from '../../../kernel/json/json-pointer.js';

/** Something that is wrong with a drafted plan. */
export interface DraftFinding {
  /** A rule of `plan lint`, or `UNKNOWN_TOOL`, `INVALID_ARGUMENT`, `UNREACHABLE_REFERENCE`, `USES_SKIPPED` or `REPLACED_UNREAD`. */
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  /** Where in the plan. */
  readonly pointer: JsonPointer;
  /** Id of the step; null for the plan as a whole. */
  readonly step: string | null;
}
