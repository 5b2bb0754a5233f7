import type { LivePlan } from '../hooks.js';

/** What every view of a plan is given. */
export interface ViewProps {
  readonly live: LivePlan & { readonly model: NonNullable<LivePlan['model']> };
  readonly goal: string | null;
  /** Looks at a goal, in the same view. */
  readonly onSelect: (goal: string | null) => void;
}
