import type { PlanError } from '../kernel/errors.js';
import type { ChatModel } from '../llm/chat-model.js';
import type { Prompts } from '../llm/prompts.js';
import type { ReducedExpansion } from './sanitize/filler.js';
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
      readonly expansion: ReducedExpansion;
      readonly usage: Usage;
      /** What happened on the way that the plan should remember, such as context that was cut. */
      readonly warnings: readonly { readonly code: string; readonly message: string }[];
    }
  /** This goal could not be expanded, and asking again would not help; others may go on. */
  | { readonly kind: 'review'; readonly code: string; readonly reason: string; readonly usage: Usage }
  /** The next call might exceed a budget, so it was not made. */
  | { readonly kind: 'budget'; readonly limit: string; readonly usage: Usage }
  /** Nothing can be expanded any more; or only this goal cannot, when `refused`: which of them is not known. */
  | {
      readonly kind: 'unavailable';
      readonly error: PlanError;
      readonly usage: Usage;
      readonly refused?: true;
    }
  /** The signal was aborted. */
  | { readonly kind: 'aborted'; readonly usage: Usage };

/** What came of asking something that no server has a reason to refuse. */
export type ControlOutcome =
  | { readonly kind: 'answered'; readonly usage: Usage }
  | Exclude<ExpansionOutcome, { kind: 'expansion' | 'review' }>;

/** Something that expands goals. Its functions must not throw. */
export interface Expander {
  readonly kind: 'model' | 'rules' | 'replay' | 'agent';
  /**
   * @param signal when it aborts, the call under way is dropped
   * @param stop when it aborts, waits end and no further call is made; the one under way is finished
   */
  expand(request: ExpansionRequest, signal: AbortSignal, stop?: AbortSignal): Promise<ExpansionOutcome>;
  /** What other questions about the plan are asked with; missing where none is asked, as by rules. */
  readonly connection?: {
    readonly model: ChatModel;
    readonly prompts: Prompts;
    /** Tokens that a user message may have. */
    readonly promptTokens: number;
  };
  /** Asks the smallest question there is, to tell a server that refuses everything from a goal that it refuses. */
  readonly control?: (signal: AbortSignal, stop?: AbortSignal) => Promise<ControlOutcome>;
}
