import type { Asking } from '../acting/goal-moves.js';
import type { LivePlan } from '../hooks.js';

/** What every view of a plan is given. */
export interface ViewProps {
  readonly live: LivePlan & { readonly model: NonNullable<LivePlan['model']> };
  readonly goal: string | null;
  /** Looks at a goal, in the same view. */
  readonly onSelect: (goal: string | null) => void;
  /** Looks at a goal with a form open; null where nothing can be changed. */
  readonly onAsk: ((goal: string, asks: Asking) => void) | null;
}
