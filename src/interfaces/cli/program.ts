import type { CommandSpec } from './command.js';
import { PLAN_ARGUMENT } from './common-arguments.js';
import { KNOWLEDGE_COMMANDS } from './knowledge-commands.js';
import { WORKING_COMMANDS } from './working-commands.js';

/** Every command of `plan`, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  ...WORKING_COMMANDS,
  ...KNOWLEDGE_COMMANDS,
  {
    name: 'publish',
    summary: 'write the plan file from the log now',
    args: [PLAN_ARGUMENT],
    examples: ['plan publish', 'plan publish 0398 && git commit -am "Progress"'],
    load: () => import('./commands/publish.js'),
  },
];
