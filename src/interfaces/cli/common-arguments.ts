import type { OptionSpec } from './command.js';

/** A plan as an argument. */
export const PLAN_ARGUMENT = {
  name: '[plan]',
  description: 'plan id, or its first 3+ characters (default: the plan changed last)',
};

/** A goal as an argument. */
export const GOAL_ARGUMENT = {
  name: '<goal>',
  description: 'goal id, its suffix (k3f9x2, root) or its number (1.2.3)',
};
/** The plan of a command whose argument is a goal. */
export const PLAN_OPTION: OptionSpec = {
  flags: '--plan <plan>',
  description: 'the plan, when it is not the one changed last',
};
