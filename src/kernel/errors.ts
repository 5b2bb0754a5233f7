import { hintInCommands } from './hint.js';
import type { Hint } from './hint.js';

/**
 * Every code a failure can carry, with the exit status a command ends with.
 * The statuses are the table in docs/commands.md: 2 bad input, 3 not found, 4 refused,
 * 5 model, 6 budget, 7 storage, 130 interrupted.
 */
const EXIT_STATUS = {
  USAGE: 2,
  INVALID_INPUT: 2,
  INVALID_PLAN: 2,
  INVALID_CONFIG: 2,
  INVALID_METHOD: 2,
  INVALID_PROMPT: 2,
  POLICY_INVALID: 2,
  NOT_UNDERSTOOD: 2,
  AMBIGUOUS_NAME: 2,
  UNSUPPORTED_VERSION: 2,
  STORE_NOT_FOUND: 3,
  PLAN_NOT_FOUND: 3,
  GOAL_NOT_FOUND: 3,
  FILE_NOT_FOUND: 3,
  STEP_NOT_FOUND: 3,
  E_APPROVAL_NOT_FOUND: 3,
  E_PLAN_NOT_FOUND: 3,
  WRONG_STATE: 4,
  REFUSED: 4,
  PLAN_EXISTS: 4,
  PLANNER_BUSY: 4,
  UNTRUSTED_BASE_URL: 4,
  UNTRUSTED_PROMPTS: 4,
  UNTRUSTED_COMMAND: 4,
  RUN_BUSY: 4,
  E_PLAN_EXPIRED: 4,
  E_PLAN_CONSUMED: 4,
  E_PLAN_HASH_MISMATCH: 4,
  E_PLAN_APPROVAL_MISSING: 4,
  E_PLAN_WORKSPACE_MISMATCH: 4,
  E_PLAN_PANE_MISMATCH: 4,
  E_PLAN_PRECONDITION_FAILED: 4,
  E_TOOL_UNTRUSTED: 4,
  E_TOOL_CHANGED: 4,
  E_SANDBOX_MISSING: 4,
  E_UNSAFE_VARIABLE: 4,
  E_WRONG_WORKSPACE: 4,
  E_APPROVAL_CONSUMED: 4,
  E_APPROVAL_EXPIRED: 4,
  MODEL_FAILED: 5,
  MODEL_UNAUTHORIZED: 5,
  MODEL_UNKNOWN: 5,
  REPLAY_MISSING: 5,
  BUDGET_REACHED: 6,
  STORAGE_FAILED: 7,
  STORE_DAMAGED: 7,
  INTERNAL: 70,
  INTERRUPTED: 130,
} as const;

export type ErrorCode = keyof typeof EXIT_STATUS;

export interface PlanErrorOptions {
  /** What the reader can do next. */
  readonly hint?: Hint;
  /** Machine-readable particulars: paths, JSON paths, ids. Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The one error shape of the library: a stable `code`, a message that names the place, and a `hint` with the cure. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
  readonly code: ErrorCode;
  /** In the words of the command line. */
  readonly hint: string | undefined;
  /** The hint as it was given, for an interface that has words of its own. */
  readonly hintParts: Hint | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: PlanErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint === undefined ? undefined : hintInCommands(options.hint);
    this.hintParts = options.hint;
    this.details = options.details ?? {};
  }
}

/** The exit status of a command that ended with the code of an error. */
export function exitStatus(code: ErrorCode): number {
  return EXIT_STATUS[code];
}

/** The message of an error or anything else thrown, without its stack. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** What an error or anything else thrown says, and its hint. @param message in other words than its own */
export function messageWithHint(thrown: unknown, message = messageOf(thrown)): string {
  const hint = thrown instanceof PlanError ? thrown.hint : undefined;
  return `${message}${hint === undefined ? '' : `. ${hint}`}`;
}
