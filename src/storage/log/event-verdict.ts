import type { Plan } from '../../plan/plan.js';
import type { Refusal } from '../../plan/refusals.js';

/** Why an event was refused, or null, with the states around it. */
export interface EventVerdict {
  readonly refused: Refusal | null;
  readonly before: Plan | null;
  readonly after: Plan | null;
}
