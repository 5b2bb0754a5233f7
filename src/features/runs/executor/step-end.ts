import type { RunFailure } from '../model/events/run-fields.js';
import type { StepList } from '../model/steps/run-step.js';
import type { Iteration } from '../model/values/resolve.js';
import type { Session } from './session.js';

/** How a step ended. A failed one ends what it is in; one that is missing could not run for want of another. */
export type StepEnd =
  { readonly kind: 'succeeded' } | { readonly kind: 'skipped'; readonly isMissing: boolean } | FailedStep;

export interface FailedStep {
  readonly kind: 'failed';
  /** The instance that failed. */
  readonly step: string;
  readonly error: RunFailure;
}

/** How a list of steps ended. */
export interface ListEnd {
  /** The step that ended it, or that could not run; null when it succeeded. */
  readonly failed: Omit<FailedStep, 'kind'> | null;
  /** The last step of the list, whose output is the output of the whole. */
  readonly last: string | null;
}

/** Carries out a list of steps. It is handed down, since steps hold lists that hold steps. */
export type ListRunner = (session: Session, list: StepList, iteration: Iteration) => Promise<ListEnd>;
