import type { Plan } from '../plan.js';

/** What an event came to: the next plan, or the plan as it was and the reason. */
export interface Applied {
  readonly plan: Plan | null;
  /** Why the event was refused; null when it was accepted. */
  readonly refused: string | null;
}

/** Leaves the plan as it was, with the reason. */
export type Refuse = (reason: string) => Applied;

/** The next plan. */
export function accept(plan: Plan): Applied {
  return { plan, refused: null };
}
