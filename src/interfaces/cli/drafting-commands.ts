import type { CommandSpec } from './command.js';
import { PLAN_OPTION } from './common-arguments.js';
import { MODEL_OPTIONS } from './planning-option-specs.js';

/** The commands that make action plans and show them. */
export const DRAFTING_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'draft',
    summary: 'draft the action plan of an atomic goal: its steps, with tools',
    args: [{ name: '[goal]', description: 'goal id, its suffix or its number; none with only a request' }],
    options: [
      { flags: '--request <text>', description: 'read this as a request to a browser, without a model' },
      { flags: '--tools <file>', description: 'the tools that steps may use, as JSON or YAML' },
      { flags: '--policy <file>', description: 'hold the plan against a policy too, as plan lint does' },
      { flags: '--force', description: 'store the plan also with errors' },
      {
        flags: '--expander <kind>',
        description: 'who drafts',
        choices: ['model', 'rules', 'replay'],
      },
      ...MODEL_OPTIONS,
      PLAN_OPTION,
    ],
    examples: [
      'plan draft 1.2 --tools tools.yaml',
      'plan draft k3f9x2 --tools tools.yaml --model gpt-4.1',
      `plan draft --request 'open https://example.com, then type "rust" into search and press enter'`,
    ],
    load: () => import('./commands/draft.js'),
  },
  {
    name: 'preview',
    summary: 'show an action plan before it runs',
    args: [{ name: '<plan>', description: 'id of an action plan, a path, or - for standard input' }],
    options: [
      { flags: '--verbose', description: 'whole arguments, ids, assumptions' },
      { flags: '--quiet', description: 'numbers and status of the steps alone' },
      { flags: '--format <format>', description: 'how to show it', choices: ['text', 'toon'] },
      {
        flags: '--dialect <dialect>',
        description: 'the form of the file (default: by its shape)',
        choices: ['obsidian', 'wa', 'soulbrowser', 'plan-lint', 'frctl'],
      },
    ],
    examples: ['plan preview ap-k3f9x2w8m1', 'plan preview recover.json --verbose'],
    load: () => import('./commands/preview.js'),
  },
];
