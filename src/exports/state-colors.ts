import type { Plan } from '../plan/plan.js';
import { goalStates } from '../plan/readiness/goal-state.js';
import type { GoalState } from '../plan/readiness/goal-state.js';
import type { Goal } from '../plan/schema.js';

/** The colours of a goal's box in a drawing, dark text on a light fill, by its state; in the order of a legend. */
export const STATE_COLORS: Readonly<Record<GoalState, { readonly fill: string; readonly line: string }>> = {
  to_plan: { fill: '#f6f8fa', line: '#8c959f' },
  divided: { fill: '#ddf4ff', line: '#0969da' },
  ready: { fill: '#fff8c5', line: '#9a6700' },
  waiting: { fill: '#ffffff', line: '#6e7781' },
  claimed: { fill: '#fbefff', line: '#8250df' },
  on_hold: { fill: '#fff1e5', line: '#bc4c00' },
  done: { fill: '#dafbe1', line: '#1a7f37' },
  failed: { fill: '#ffebe9', line: '#cf222e' },
};

/** Returns the states of goals as an export shows them: those of the last change, so that a plan is exported the same at any time. */
export function statesInExport(plan: Plan): (goal: Goal) => GoalState {
  return goalStates(plan, plan.header.updated_at);
}
