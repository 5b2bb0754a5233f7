import type { CommandSpec, OptionSpec } from './command.js';
import { GOAL_ARGUMENT, PLAN_OPTION } from './common-arguments.js';

const BY_OPTION: OptionSpec = { flags: '--by <name>', description: 'who works (default: user@host)' };
const TOKEN_OPTION: OptionSpec = { flags: '--token <token>', description: 'what `plan claim` printed' };

/** The commands with which a plan is worked off. */
export const WORKING_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'complete',
    summary: 'mark a goal as done, with what came of it',
    args: [GOAL_ARGUMENT],
    options: [
      { flags: '--summary <text>', description: 'what was accomplished' },
      { flags: '--decision <text...>', description: 'a choice that others should know of', many: true },
      { flags: '--artifact <path...>', description: 'a file or thing that was made', many: true },
      { flags: '--from <file>', description: 'a report, or a result as JSON; - reads standard input' },
      { flags: '--from-git <range>', description: 'commits whose subjects and files belong to it' },
      TOKEN_OPTION,
      BY_OPTION,
      { flags: '--force', description: 'also while it waits for other goals' },
      {
        flags: '--expander <kind>',
        description: 'model: then ask it for a better digest (default: no model is asked)',
        choices: ['model', 'rules'],
      },
      { flags: '--revise', description: 'then propose anew what is left beside it, without changing it' },
      PLAN_OPTION,
    ],
    examples: [
      'plan complete 1.2 --summary "The cart survives a reload" --artifact src/cart.ts',
      'plan complete 1.2 --token k2v9d0q4m7x1z8ab --from result.json',
      'plan complete 1.2 --from-git main..HEAD --decision "Sessions live in Redis"',
    ],
    load: () => import('./commands/complete.js'),
  },
];
