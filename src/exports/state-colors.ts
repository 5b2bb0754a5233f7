import type { Plan } from '../plan/plan.js';
import { goalStates } from '../plan/readiness/goal-state.js';
import type { GoalState } from '../plan/readiness/goal-state.js';
import type { Goal } from '../plan/schema.js';

interface StateColors {
  readonly fill: string;
  readonly line: string;
  /** Of words about the state, on a light page and on a dark one. */
  readonly ink: string;
  readonly inkInDark: string;
}

/** The colours of a goal by its state, those of the live page (`page.css`); in the order of a legend. */
export const STATE_COLORS: Readonly<Record<GoalState, StateColors>> = {
  to_plan: { fill: '#f3f4f6', line: '#7a828c', ink: '#4b535d', inkInDark: '#b9c1ca' },
  divided: { fill: '#eef2fb', line: '#7d90bd', ink: '#40528a', inkInDark: '#b2c2ee' },
  ready: { fill: '#ddf0ff', line: '#1668b8', ink: '#0b4f94', inkInDark: '#9accff' },
  waiting: { fill: '#f5efe1', line: '#a28546', ink: '#6b5216', inkInDark: '#e6c983' },
  claimed: { fill: '#efe4ff', line: '#7a4fc0', ink: '#5a2fa3', inkInDark: '#d1b5ff' },
  on_hold: { fill: '#ececec', line: '#6e6a65', ink: '#4d4945', inkInDark: '#cfc9c2' },
  done: { fill: '#ddf5e3', line: '#2b8a45', ink: '#17642e', inkInDark: '#8fdda6' },
  failed: { fill: '#ffe4e1', line: '#c7352a', ink: '#a01f16', inkInDark: '#ffb0a8' },
};

/** Returns the states of goals as an export shows them: those of the last change, so that a plan is exported the same at any time. */
export function statesInExport(plan: Plan): (goal: Goal) => GoalState {
  return goalStates(plan, plan.header.updated_at);
}
