import type { PlanError } from '../errors.js';
import type { Expansion } from '../plan/expansion.js';
import type { Plan } from '../plan/plan.js';
import type { Goal, Usage } from '../plan/schema.js';

/** The planner's one question, about one goal of a plan. */
export interface ExpansionRequest {
  readonly plan: Plan;
  readonly goal: Goal;
  /** The most sub-goals that will be kept. */
  readonly maxChildren: number;
  /** Set when a goal that was planned before is planned again. */
  readonly revision?: Revision;
}

/** Why a goal is planned again, and what of it is there already. */
export interface Revision {
  /** What went wrong or has changed, a text each: data, as a user, an agent or a model wrote it. */
  readonly failures: readonly string[];
  /** The children that it keeps, finished or not. */
  readonly staying: readonly Goal[];
}

/** What came of asking. Every kind says what it cost, since a failed question may have been paid too. */
export type ExpansionOutcome =
  | {
      readonly kind: 'expansion';
      readonly expansion: Expansion;
      readonly usage: Usage;
      /** What happened on the way that the plan should remember, such as context that was cut. */
      readonly warnings: readonly { readonly code: string; readonly message: string }[];
    }
  /** This goal could not be expanded, and asking again would not help; others may go on. */
  | { readonly kind: 'review'; readonly code: string; readonly reason: string; readonly usage: Usage }
  /** The next call might exceed a budget, so it was not made. */
  | { readonly kind: 'budget'; readonly limit: string; readonly usage: Usage }
  /** Nothing can be expanded any more. */
  | { readonly kind: 'unavailable'; readonly error: PlanError; readonly usage: Usage }
  /** The signal was aborted. */
  | { readonly kind: 'aborted'; readonly usage: Usage };

/** Something that expands goals. `expand` must not throw. */
export interface Expander {
  readonly kind: 'model' | 'rules' | 'replay';
  expand(request: ExpansionRequest, signal: AbortSignal): Promise<ExpansionOutcome>;
}
