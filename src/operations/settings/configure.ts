import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import type { SettingsDocument } from '../../storage/documents.js';
import { defineOperation } from '../operation.js';
import { readProjectPrompts } from '../planning/project-prompts.js';
import type { Context } from '../shared/context.js';
import { userConfigPath } from '../shared/environment.js';
import { field, text, toggle } from '../shared/fields.js';
import { changeProjectSetting, changeUserConfig, changeUserSetting } from './config-changes.js';
import type { SettingChange } from './config-changes.js';
import { refuseWrongConfig } from './extra-request.js';
import { normalizeBaseUrl, withTrusted, withTrustedPrompts } from './trust.js';

/** So many characters of a digest name prompts. */
const LEAST_DIGEST = 12;

const changedSchema = z.object({
  name: z.string(),
  file: z.string().describe('The config that was changed.'),
  changed: z.boolean().describe('Whether it changed; false for a setting that was not set.'),
});

const nameField = () => field(z.string(), 'setting, such as model or budget.calls', { value: 'name' });
const userField = () => toggle('in your own config instead of .plans/config.json');

/**
 * Sets a setting in `.plans/config.json` or in the user's own config.
 * @throws PlanError INVALID_CONFIG, STORE_NOT_FOUND, STORAGE_FAILED
 */
export const setConfig = defineOperation({
  arguments: ['name', 'value'],
  input: z.strictObject({
    name: nameField(),
    value: field(z.string(), 'value to set; JSON unless the setting is text', { value: 'value' }),
    user: userField(),
  }),
  output: changedSchema,
  examples: ['plan config set model gpt-4.1 --user', 'plan config set budget.usd 2'],
  mutates: true,
  run: changeConfig,
});

/**
 * Removes a setting from `.plans/config.json` or from the user's own config.
 * @throws PlanError INVALID_CONFIG, STORE_NOT_FOUND, STORAGE_FAILED
 */
export const unsetConfig = defineOperation({
  arguments: ['name'],
  input: z.strictObject({ name: nameField(), user: userField() }),
  output: changedSchema,
  examples: ['plan config unset model'],
  mutates: true,
  run: async (context, input) => changeConfig(context, { ...input, value: null }),
});

/** Sets a setting, or removes it with `value` null. */
async function changeConfig(
  context: Context,
  { user, ...change }: SettingChange & { readonly user?: boolean | undefined },
): Promise<z.output<typeof changedSchema>> {
  const { name, value } = change;
  if (value !== null) refuseWrongConfig(name, user === true);
  if (name.split('.', 1)[0] === 'base_url' && value !== null) normalizeBaseUrl(value);
  if (user === true) {
    const changed = await changeUserSetting(context.environment, change);
    return { name, file: userConfigPath(context.environment), changed };
  }
  // A project that begins with a database has no folder yet.
  if (name === 'store' && value !== null && !context.hasStore()) await context.storeToWrite();
  const settings = await projectSettings(context);
  const changed = await changeProjectSetting(settings, change);
  return { name, file: settings.location, changed };
}

/** Lets goals, results and the environment's key be sent to a server that a repository names. @throws PlanError INVALID_INPUT */
export const trustBaseUrl = defineOperation({
  arguments: ['url'],
  input: z.strictObject({ url: field(z.string(), 'the server to trust', { value: 'url' }) }),
  output: z.object({ base_url: z.string(), file: z.string() }),
  examples: ['plan config trust https://models.example.com/v1'],
  mutates: true,
  async run({ environment }, { url }) {
    const baseUrl = normalizeBaseUrl(url);
    await changeUserConfig(environment, (user) => withTrusted(user, baseUrl));
    return { base_url: baseUrl, file: userConfigPath(environment) };
  },
});

/**
 * Lets the prompts of the repository, as they are now, be sent to a model.
 * @throws PlanError FILE_NOT_FOUND when there are none, REFUSED when they are others, INVALID_PROMPT
 */
export const trustPrompts = defineOperation({
  arguments: ['digest'],
  input: z.strictObject({
    digest: text('the start of the digest of the prompts that you read; other prompts are refused', 'digest'),
  }),
  output: z.object({ digest: z.string(), files: z.array(z.string()).readonly(), file: z.string() }),
  examples: ['plan config trust-prompts'],
  mutates: true,
  async run(context, { digest: expected }) {
    const prompts = await readProjectPrompts(context);
    if (prompts === null)
      throw new PlanError('FILE_NOT_FOUND', 'there are no prompts in .plans/prompts to trust');
    const { digest, files } = prompts;
    if (expected !== undefined && (expected.length < LEAST_DIGEST || !digest.startsWith(expected)))
      throw new PlanError(
        'REFUSED',
        `the prompts of .plans/prompts are not the version that you name: their digest is ${digest}`,
        {
          hint: ['They have changed since you read them. Read them again.'],
          details: { digest },
        },
      );
    const { loadPrompts } = await import('../../llm/prompts.js');
    await loadPrompts(Object.fromEntries(files.map((file) => [file.name, file.text])));
    await changeUserConfig(context.environment, (user) => withTrustedPrompts(user, digest));
    return { digest, files: files.map(({ name }) => name), file: userConfigPath(context.environment) };
  },
});

async function projectSettings(context: Context): Promise<SettingsDocument> {
  const settings = (await context.documents())?.settings ?? null;
  if (settings !== null) return settings;
  context.store();
  throw new PlanError('STORE_NOT_FOUND', 'a store in memory has no config file');
}
