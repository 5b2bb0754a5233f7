import type { OptionSpec } from './command.js';

const BUDGET_OPTIONS: readonly OptionSpec[] = [
  { flags: '--budget-calls <n>', description: 'pause before more requests than this', numeric: true },
  { flags: '--budget-tokens <n>', description: 'pause before more tokens than this', numeric: true },
  {
    flags: '--budget-usd <n>',
    description: 'pause before it costs more US dollars than this',
    numeric: true,
  },
  {
    flags: '--budget-seconds <n>',
    description: 'pause before planning takes longer than this',
    numeric: true,
  },
];

const LIMIT_OPTIONS: readonly OptionSpec[] = [
  { flags: '--max-depth <n>', description: 'deepest level of the tree (default: 6)', numeric: true },
  { flags: '--max-children <n>', description: 'most sub-goals of a goal (default: 7)', numeric: true },
  { flags: '--max-goals <n>', description: 'most goals of the plan (default: 1000)', numeric: true },
  { flags: '--concurrency <n>', description: 'most calls to the model at once (default: 8)', numeric: true },
  {
    flags: '--assess <mode>',
    description: 'take a sub-goal’s own verdict, or ask about each',
    choices: ['inline', 'each'],
  },
  {
    flags: '--prompt-variant <variant>',
    description: 'prompts of full length, or plain ones for small models',
    choices: ['standard', 'plain'],
  },
  { flags: '--order <order>', description: 'which goals are expanded first', choices: ['breadth', 'depth'] },
  ...BUDGET_OPTIONS,
];

/** Which model is asked, and how. */
export const MODEL_OPTIONS: readonly OptionSpec[] = [
  { flags: '--model <name>', description: 'model to ask' },
  { flags: '--base-url <url>', description: 'any OpenAI-compatible server' },
  { flags: '--record <file>', description: 'write every question and answer to a file' },
  { flags: '--replay <file>', description: 'answer from such a file, with no network' },
  { flags: '--timeout <seconds>', description: 'longest silence of a server (default: 120)', numeric: true },
  {
    flags: '--max-retries <n>',
    description: 'retries of one request to one model (default: 5)',
    numeric: true,
  },
  ...BUDGET_OPTIONS,
];

/** How a plan is made. */
export const PLANNING_OPTIONS: readonly OptionSpec[] = [
  { flags: '--model <name>', description: 'model to ask' },
  { flags: '--base-url <url>', description: 'any OpenAI-compatible server' },
  { flags: '--expander <kind>', description: 'what expands goals', choices: ['model', 'rules', 'replay'] },
  { flags: '--record <file>', description: 'write every question and answer to a file' },
  { flags: '--replay <file>', description: 'answer from such a file, with no network' },
  { flags: '--timeout <seconds>', description: 'longest silence of a server (default: 120)', numeric: true },
  {
    flags: '--max-retries <n>',
    description: 'retries of one request to one model (default: 5)',
    numeric: true,
  },
  ...LIMIT_OPTIONS,
];
