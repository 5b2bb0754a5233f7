import type { CommandSpec } from './command.js';
import { GOAL_ARGUMENT, PLAN_OPTION } from './common-arguments.js';
import { MODEL_OPTIONS, PLANNING_OPTIONS } from './planning-option-specs.js';

/** The commands that tell what is known: of finished work, of overlooked dependencies, of a document, of the cost. */
export const KNOWLEDGE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'digest',
    summary: 'digest finished goals and measure what the digests keep',
    args: [{ ...GOAL_ARGUMENT, name: '[goal]' }],
    options: [
      { flags: '--refresh', description: 'make digests again that are there already' },
      { flags: '--expander <kind>', description: 'what makes them', choices: ['model', 'rules'] },
      ...MODEL_OPTIONS,
      PLAN_OPTION,
    ],
    examples: ['plan digest', 'plan digest root', 'plan digest 1.2 --refresh --expander rules'],
    load: () => import('./commands/digest.js'),
  },
  {
    name: 'estimate',
    summary: 'estimate calls, tokens and cost of planning, before anything is spent',
    args: [{ name: '[goal]', description: 'what to accomplish (default: resume the plan changed last)' }],
    options: [
      { flags: '--from <file>', description: 'a Markdown document to plan from' },
      {
        flags: '--context <file...>',
        description: 'files that tell the model about the project',
        many: true,
      },
      PLAN_OPTION,
      ...PLANNING_OPTIONS,
    ],
    examples: [
      'plan estimate',
      'plan estimate "Build a REST API"',
      'plan estimate --from PRD.md --model gpt-4.1',
    ],
    load: () => import('./commands/estimate.js'),
  },
];
