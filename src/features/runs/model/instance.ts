import type { JsonValue } from '../../../kernel/json/json-value.js';
import type { RunFailure } from './events/run-fields.js';

/** How far an instance of a step is. */
type InstanceState = 'pending' | 'started' | 'succeeded' | 'failed' | 'skipped' | 'unknown';

/** What a call brought: the value, or where it is: the event that has it, or the file of the run’s folder. */
export type RunOutput =
  { readonly value: JsonValue } | { readonly event: string } | { readonly file: string };

/** A step instance, as far as the log tells. */
export interface Instance {
  readonly state: InstanceState;
  /** The number of its last attempt; 0 before the first. */
  readonly attempt: number;
  /** How many attempts count against the most that are allowed; those that a crash or a signal ended do not. */
  readonly failures: number;
  /** Whether nothing will be tried again, whatever attempts are left. */
  readonly final: boolean;
  /** How many of its verifications hold. */
  readonly verified: number;
  readonly tool: string | null;
  readonly effects: 'none' | 'idempotent' | 'once' | null;
  readonly started_at: string | null;
  /** When the last attempt ended, or was settled. */
  readonly ended_at: string | null;
  readonly output: RunOutput | null;
  /** The instance whose output is this one’s too. */
  readonly output_of: string | null;
  readonly error: RunFailure | null;
  readonly skipped: {
    readonly because: SkipCause;
    readonly of: string | null;
    readonly warn: boolean;
  } | null;
  /** Whether its fallback made it succeed. */
  readonly recovered: boolean;
  /** What an unknown outcome was settled by. */
  readonly settled: 'verification' | 'person' | 'idempotent' | null;
  /** Items of a foreach that failed and were skipped. */
  readonly failed_items: number;
  /** The instance below a foreach with which it failed; null also where the log is of a version that did not say so. */
  readonly failed_by: string | null;
  /** The approvals of a person: to begin with it, and to go on after it failed. */
  readonly approved: { readonly before: readonly string[]; readonly after: readonly string[] };
}

/** Why a step was skipped. */
type SkipCause = 'on_error' | 'precondition' | 'dependency' | 'person';

/** What an instance is before anything is known of it. */
export const PENDING: Instance = {
  state: 'pending',
  attempt: 0,
  failures: 0,
  final: false,
  verified: 0,
  tool: null,
  effects: null,
  started_at: null,
  ended_at: null,
  output: null,
  output_of: null,
  error: null,
  skipped: null,
  recovered: false,
  settled: null,
  failed_items: 0,
  failed_by: null,
  approved: { before: [], after: [] },
};
