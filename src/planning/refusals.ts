import { NO_USAGE } from '../plan/plan.js';
import type { PlanError } from '../kernel/errors.js';
import type { ExpansionOutcome } from './expander.js';

/** Goals that were refused one after the other before it has to be known whether everything is. */
const MOST_IN_A_ROW = 3;

/** What was refused for good, without a word of whether other questions would be too. */
export interface Refusals<T extends { readonly outcome: ExpansionOutcome }> {
  /** How many goals wait for it to be known whose fault it is. */
  readonly waiting: number;
  /** Whether there are so many that no other goal should be begun before. */
  readonly tooMany: boolean;
  /** Whether the server answered other questions of this run, and refused but a few since: the goals' own fault. */
  readonly areGoalsOwn: boolean;
  /** The error of the first that waits. */
  readonly error: PlanError | null;
  /** Takes a goal into account if it was refused so. */
  hold(answered: T): boolean;
  /** Notes that another question was answered. */
  noteAnswer(): void;
  /** All that wait, as goals to be marked for review; none waits any more. Their usage is not repeated. */
  take(): readonly T[];
}

/**
 * Tells a goal that its server refuses from a server that refuses everything, so that neither one goal ends the planning
 * of the others, nor one wrong setting marks them all.
 */
export function createRefusals<T extends { readonly outcome: ExpansionOutcome }>(): Refusals<T> {
  let held: readonly { readonly answered: T; readonly error: PlanError }[] = [];
  let answered = false;
  return {
    get waiting() {
      return held.length;
    },
    get tooMany() {
      return held.length >= MOST_IN_A_ROW;
    },
    get areGoalsOwn() {
      return answered && held.length < MOST_IN_A_ROW;
    },
    get error() {
      return held[0]?.error ?? null;
    },
    hold(answered) {
      const { outcome } = answered;
      if (outcome.kind !== 'unavailable' || outcome.refused !== true) return false;
      held = [...held, { answered, error: outcome.error }];
      return true;
    },
    noteAnswer() {
      answered = true;
    },
    take() {
      const taken = held.map(({ answered, error }) => ({ ...answered, outcome: asReview(error) }));
      held = [];
      return taken;
    },
  };
}

function asReview(error: PlanError): ExpansionOutcome {
  return { kind: 'review', code: 'refused', reason: error.message, usage: NO_USAGE };
}
