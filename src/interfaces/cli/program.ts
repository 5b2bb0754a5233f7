import type { CommandSpec } from './command.js';
import { PLAN_ARGUMENT } from './common-arguments.js';
import { DRAFTING_COMMANDS } from './drafting-commands.js';
import { KNOWLEDGE_COMMANDS } from './knowledge-commands.js';
import { WORKING_COMMANDS } from './working-commands.js';

/** The forms of action plans. */
const ACTION_PLAN_FORMS = ['obsidian', 'wa', 'soulbrowser', 'plan-lint', 'frctl'];

/** Every command of `plan`, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  ...WORKING_COMMANDS,
  ...KNOWLEDGE_COMMANDS,
  {
    name: 'lint',
    summary: 'check action plans against every rule and a policy',
    args: [
      {
        name: '[files...]',
        description: 'action plans of any dialect: paths, globs, or - for standard input',
      },
    ],
    options: [
      { flags: '--policy <file>', description: 'what plans may do: a policy in YAML or JSON' },
      {
        flags: '--format <format>',
        description: 'how to report (default: text)',
        choices: ['text', 'json', 'sarif', 'github'],
      },
      {
        flags: '--dialect <dialect>',
        description: 'the dialect of the plans (default: found by their shape)',
        choices: ['obsidian', 'wa', 'soulbrowser', 'plan-lint', 'frctl'],
      },
      { flags: '--fix', description: 'mend what can be mended, in place' },
      { flags: '--compat', description: 'judge as the original Plan-Lint does' },
      { flags: '--baseline <file>', description: 'findings that are known; only others count' },
      { flags: '--update-baseline', description: 'write the baseline anew from what is found' },
      { flags: '--explain <rule>', description: 'say what a rule finds and why, with examples' },
      { flags: '--list-rules', description: 'list every rule' },
    ],
    examples: [
      'plan lint refund.json --policy policy.yaml',
      'plan lint "plans/**/*.json" --format sarif > lint.sarif',
      'plan lint plan.json --fix',
      'plan lint --explain RAW_SECRET',
    ],
    load: () => import('./commands/lint.js'),
  },
  ...DRAFTING_COMMANDS,
  {
    name: 'publish',
    summary: 'write the plan file from the log now',
    args: [PLAN_ARGUMENT],
    examples: ['plan publish', 'plan publish 0398 && git commit -am "Progress"'],
    load: () => import('./commands/publish.js'),
  },
  {
    name: 'convert',
    summary: 'write an action plan in another form',
    args: [{ name: '<file>', description: 'an action plan of any form, or - for standard input' }],
    options: [
      { flags: '--to <form>', description: 'the form to write (default: frctl)', choices: ACTION_PLAN_FORMS },
      {
        flags: '--format <form>',
        description: 'the form of the file (default: by its shape)',
        choices: ACTION_PLAN_FORMS,
      },
      { flags: '--lossy', description: 'convert although the plan would not do the same' },
      { flags: '-o, --output <file>', description: 'write to a file instead of standard output' },
      { flags: '--force', description: 'replace files that are there' },
    ],
    examples: [
      'plan convert plan.json --to obsidian -o vault-plan.json',
      'plan convert recovery.json --to plan-lint --lossy',
      'cat plan.json | plan convert - --to frctl',
    ],
    load: () => import('./commands/convert.js'),
  },
  {
    name: 'hash',
    summary: 'print the digest of an action plan, and the ids of a wa plan',
    args: [{ name: '<file>', description: 'an action plan of any form, or - for standard input' }],
    options: [
      {
        flags: '--format <form>',
        description: 'the form of the file (default: by its shape)',
        choices: ACTION_PLAN_FORMS,
      },
      { flags: '--canonical', description: 'print the text that is hashed' },
    ],
    examples: ['plan hash recovery.json', 'plan hash recovery.json --canonical | sha256sum'],
    load: () => import('./commands/hash.js'),
  },
  {
    name: 'config',
    summary: 'show and change settings, try the model, trust a server or prompts',
    args: [
      {
        name: '[action]',
        description: 'what to do (default: show)',
        choices: ['show', 'set', 'unset', 'test', 'trust', 'trust-prompts'],
      },
      { name: '[name]', description: 'setting, or what to trust: a URL, the digest of prompts' },
      { name: '[value]', description: 'value to set' },
    ],
    options: [
      { flags: '--user', description: 'in your own config instead of .plans/config.json' },
      { flags: '--model <name>', description: 'with test: model to ask' },
      { flags: '--base-url <url>', description: 'with test: server to ask' },
    ],
    examples: [
      'plan config',
      'plan config set model gpt-4.1 --user',
      'plan config set budget.usd 2',
      'plan config test',
      'plan config trust https://models.example.com/v1',
      'plan config trust-prompts',
    ],
    load: () => import('./commands/config.js'),
  },
];
