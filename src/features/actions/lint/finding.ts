import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import type { Severity } from '../policy/policy.js';
import type { RuleId } from './rule-ids.js';

/** Something that a rule found in a plan. It never holds a secret. */
export interface Finding {
  readonly rule: RuleId;
  readonly severity: Severity;
  readonly message: string;
  /** Where in the document. */
  readonly pointer: JsonPointer;
  /** Line and column from 1, the column in UTF-16 units; the end is exclusive. */
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
  /** Id of the step that it lies in; null for the plan as a whole. */
  readonly step: string | null;
  /** Whether `--fix` fixes it. */
  readonly fixable: boolean;
  /** The mark by which a baseline, or SARIF, knows it again: 16 hexadecimal digits. */
  readonly fingerprint: string;
  /** Set where the rule itself failed: then the plan is not checked by it, and no baseline takes that. */
  readonly failed?: true;
}

/** A finding that the plan itself asks to pass over, and why. */
export interface SuppressedFinding extends Finding {
  readonly reason: string;
  /** Whether its rule still weighs in the risk; not where the policy's `allow_suppressions` names it. */
  readonly weighs: boolean;
}

/** A stretch of a document's text that a finding points at. */
export interface Region {
  readonly pointer: JsonPointer;
  /** Offsets in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A change of a text: what is between two offsets becomes another text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What a rule says; the engine makes a Finding of it. */
export interface Observation {
  readonly message: string;
  /**
   * What it is about besides its rule and place, whatever the words: names, values, limits. No line, for those move, and
   * nothing of a secret.
   */
  readonly about: readonly (string | number)[];
  readonly region: Region;
  /** Another severity than the rule's own. */
  readonly severity?: Severity;
  /** The edits that mend it; called before anything is edited. */
  readonly fix?: (() => readonly TextEdit[]) | undefined;
}
