import type { ErrorCode } from '../../../kernel/errors.js';
import type { DialectName } from '../model/dialect.js';
import type { CompatVerdict } from './compat/compat.js';
import type { Finding, SuppressedFinding } from './finding.js';
import type { RiskScore } from './risk-score.js';

/** What was found in one file. */
export interface FileReport {
  /** As it was named; `<stdin>` for standard input. */
  readonly file: string;
  readonly dialect: DialectName | null;
  readonly clean: boolean;
  readonly findings: readonly Finding[];
  /** What the plan itself asks to pass over. */
  readonly suppressed: readonly SuppressedFinding[];
  /** What the baseline knows already. */
  readonly known: readonly Finding[];
  readonly risk: RiskScore;
  /** How many findings `--fix` has fixed. */
  readonly fixed: number;
  /** With `--compat`, what the original tool would say; it alone decides then. */
  readonly compat?: CompatVerdict;
}

/** A file that could not be checked. */
export interface UnreadableFile {
  readonly file: string;
  readonly code: ErrorCode;
  readonly message: string;
  /** Null where the trouble has no place in the text. */
  readonly line: number | null;
  readonly column: number | null;
}

/** What a check of files came to. */
export interface LintReport {
  /** Whether every file could be read and is clean. */
  readonly clean: boolean;
  readonly files: readonly FileReport[];
  readonly unreadable: readonly UnreadableFile[];
  /** Entries of the baseline that nothing matches any more. */
  readonly stale: number;
}
