import type * as z from 'zod';

import type { PlanError } from '../kernel/errors.js';
import type { Usage } from '../plan/schema.js';

/** One thing asked of a model, with the shape its reply must have. */
export interface Question<T> {
  /** Name of the `response_format` schema. */
  readonly name: 'expansion' | 'check' | 'dependencies' | 'link' | 'triage' | 'digest' | 'action_plan';
  readonly schema: z.ZodType<T>;
  readonly system: string;
  /** Holds exactly one `<goal>…</goal>`. */
  readonly user: string;
  /** Added to the user message when a reply was cut off by length. */
  readonly shorter: string;
  /** Errors beyond the schema, in words; quoted in the repair turn. */
  readonly check?: (value: T) => readonly string[];
}

/**
 * How a question ended. `usage` is what this question cost whatever the outcome: `calls` counts every HTTP
 * request sent (retries, fallbacks and repairs included), `cost_usd` is null when the price is not known.
 */
export type Answer<T> =
  | {
      readonly kind: 'reply';
      readonly value: T;
      readonly usage: Usage;
      /** What the model had to be helped with, in words; empty for a clean reply. */
      readonly notes: readonly string[];
    }
  | {
      readonly kind: 'rejected';
      readonly code: 'refused' | 'invalid_reply' | 'cut_off';
      readonly reason: string;
      readonly usage: Usage;
    }
  | { readonly kind: 'budget'; readonly limit: BudgetLimit; readonly usage: Usage }
  | {
      readonly kind: 'unavailable';
      readonly error: PlanError;
      readonly usage: Usage;
      /** Set when every model refused this very request, and nothing says whether it would refuse others. */
      readonly refused?: true;
    }
  | { readonly kind: 'aborted'; readonly usage: Usage };

/** The limit of a budget that is in the way. */
export type BudgetLimit = 'calls' | 'tokens' | 'usd' | 'seconds';

/** A model that answers questions, whether a server, a recording or a stand-in of a test. */
export interface ChatModel {
  /** Requests that may be under way at once just now; falls when a server says 429 and recovers. */
  readonly concurrency: number;
  /**
   * Asks and waits for the answer. Must not throw or reject: every outcome is an `Answer`.
   * @param signal when it aborts, the request under way is dropped
   * @param stop when it aborts, waits end and no further request is sent, not even the repair of a bad reply; the one
   * under way is finished
   */
  ask<T>(question: Question<T>, signal: AbortSignal, stop?: AbortSignal): Promise<Answer<T>>;
}
