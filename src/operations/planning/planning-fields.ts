import * as z from 'zod';

import { refuseStandardInput } from '../shared/named-file.js';
import { PlanError } from '../../kernel/errors.js';
import { EXPANDERS } from '../../plan/choices.js';
import { budgetSchema } from '../../plan/schema.js';
import type { Settings } from '../../plan/schema.js';
import { projectConfigSchema } from '../settings/config.js';
import type { ConfigName } from '../settings/config.js';
import { DEFAULTS } from '../settings/settings.js';
import { choice, count, field, text, whole } from '../shared/fields.js';
import type { CommandLineField } from '../shared/fields.js';
import type { PlanningFlags } from './choose-planning.js';
import { asksForModel } from './named-model.js';

/** What to say of a setting that is an option, and how it is given. */
type Flag = readonly [description: string, how?: CommandLineField];

const MODEL_FLAGS: Readonly<Partial<Record<ConfigName, Flag>>> = {
  model: ['model to ask', { value: 'name' }],
  base_url: ['any OpenAI-compatible server', { value: 'url' }],
  timeout_ms: [
    `longest silence of a server (default: ${DEFAULTS.timeout_ms / 1000})`,
    { flag: 'timeout', value: 'seconds', factor: 1000 },
  ],
  max_retries: [`retries of one request to one model (default: ${DEFAULTS.max_retries})`],
};

const PLANNING_FLAGS: Readonly<Partial<Record<ConfigName, Flag>>> = {
  ...MODEL_FLAGS,
  max_depth: [`deepest level of the tree (default: ${DEFAULTS.max_depth})`],
  max_children: [`most sub-goals of a goal (default: ${DEFAULTS.max_children}, of the root 10)`],
  max_goals: [`most goals of the plan (default: ${DEFAULTS.max_goals})`],
  concurrency: [`most calls to the model at once (default: ${DEFAULTS.concurrency})`],
  assess: ['take a sub-goal’s own verdict, or ask about each', { value: 'mode' }],
  prompt_variant: ['prompts of full length, or plain ones for small models', { value: 'variant' }],
  order: ['which goals are expanded first', { value: 'order' }],
  triage: ['do not ask first which goals of a document are work', { negated: true }],
  link: ['do not ask at the end which leaves need each other', { negated: true }],
};

/** How a plan is made: the settings, what expands goals, and recordings. */
export const planningFields = () => ({
  settings: settingsField(PLANNING_FLAGS),
  expander: choice(EXPANDERS, 'who divides goals', { value: 'kind' }),
  ...recordingFields(),
});

/** Which model is asked, and how. */
export const modelFields = () => ({ settings: settingsField(MODEL_FLAGS), ...recordingFields() });

/** Which model is asked, and at which server, and nothing else. */
export const serverFields = () => ({
  settings: settingsField(
    { model: MODEL_FLAGS.model ?? [''], base_url: MODEL_FLAGS.base_url ?? [''] },
    false,
  ),
});

/** What those fields say, as planning takes it. @throws PlanError USAGE for a replay of nothing */
export function planningFlags({
  settings,
  expander,
  record,
  replay,
}: PlanningFlags & { readonly expander?: Settings['expander'] | undefined }): PlanningFlags {
  refuseStandardInput(record, 'questions and answers are written to it');
  refuseStandardInput(replay, 'the plan goes on with it later');
  if (expander === 'replay' && replay === undefined)
    throw new PlanError('USAGE', '--expander replay needs --replay FILE');
  if ((expander === 'rules' || expander === 'agent') && asksForModel({ settings }))
    throw new PlanError('USAGE', `--expander ${expander} asks no model`, {
      hint: { commandLine: `Leave out --model and --base-url, or leave out --expander ${expander}.` },
    });
  const chosen = expander === undefined || expander === 'replay' ? {} : { expander };
  return { settings: { ...settings, ...chosen }, record, replay };
}

function recordingFields() {
  return {
    record: text('write every question and answer to a file', 'file'),
    replay: text('answer from such a file, with no network', 'file'),
  };
}

/** Every setting, of which some are options on the command line. */
function settingsField(flags: Readonly<Partial<Record<ConfigName, Flag>>>, withBudget = true) {
  const members = Object.entries<z.ZodType>(projectConfigSchema.shape).map(([name, schema]) => {
    const [description, how] = (flags as Readonly<Record<string, Flag | undefined>>)[name] ?? [];
    return [name, description === undefined ? schema : field(schema, description, how)] as const;
  });
  const budget = withBudget ? { budget: budgetField() } : {};
  // The same members, some of them described.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const settings = z.strictObject({
    ...Object.fromEntries(members),
    ...budget,
  }) as unknown as typeof projectConfigSchema;
  return field(settings.optional(), 'settings, as a config has them');
}

function budgetField() {
  const members = {
    calls: whole('pause before more requests than this'),
    tokens: whole('pause before more tokens than this'),
    usd: count('pause before it costs more US dollars than this'),
    seconds: count('pause before planning takes longer than this'),
  } satisfies Record<keyof typeof budgetSchema.shape, z.ZodType>;
  return field(z.strictObject(members).optional(), 'hard limits over the whole life of the plan', {
    prefix: 'budget-',
  });
}
