import type { GoalState } from './goal-state.js';

/** The symbol of each state, on a terminal and on the page alike, so that no colour is needed to tell it. */
export const STATE_SYMBOLS: Readonly<Record<GoalState, string>> = {
  to_plan: '○',
  divided: '◐',
  ready: '●',
  waiting: '·',
  claimed: '◆',
  on_hold: '‖',
  done: '✓',
  failed: '✗',
};
