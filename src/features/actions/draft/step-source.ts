import type { Emit } from '../../../operations/planning/planning-progress.js';
import type { Context } from '../../../operations/shared/context.js';

/** The steps of a goal that are known without a model, or what of it cannot be read. */
export type KnownSteps =
  | {
      readonly kind: 'steps';
      readonly steps: readonly unknown[];
      /** What the steps come from, in a sentence. */
      readonly reasoning: string;
      /** Whether they were read from a browser request, whose texts mean themselves. */
      readonly isRequest: boolean;
    }
  | {
      readonly kind: 'problems';
      readonly problems: readonly {
        /** Its number among the clauses, from 1. */
        readonly number: number;
        readonly clause: string;
        readonly message: string;
      }[];
    };

/** What knows steps without a model. */
export interface StepSource {
  /** Of a text that is a browser request. @throws PlanError INVALID_METHOD */
  ofRequest(context: Context, request: string, emit: Emit): Promise<KnownSteps>;
  /** Of a goal; null where none are known. @param goal with the descriptions of those above it @throws PlanError INVALID_METHOD */
  ofGoal(
    context: Context,
    goal: { readonly description: string; readonly above: readonly string[] },
    emit: Emit,
  ): Promise<KnownSteps | null>;
}
