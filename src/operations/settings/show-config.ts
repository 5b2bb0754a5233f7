import * as z from 'zod';

import { CONFIG_EXPANDERS } from '../../plan/choices.js';
import { defineOperation } from '../operation.js';
import { shownHeaders } from './extra-request.js';
import { arePromptsTrusted, readProjectPrompts } from '../planning/project-prompts.js';
import { userConfigPath } from '../shared/environment.js';
import { CONFIG_NAMES, projectConfigSchema } from './config.js';
import type { ConfigName, ProjectConfig } from './config.js';
import { apiKeyOf, hasModel, resolveSettings, VARIABLES } from './settings.js';

const settingReportSchema = z.object({
  name: projectConfigSchema.keyof(),
  value: z.unknown(),
  source: z
    .enum(['flag', 'plan', 'environment', 'project', 'user', 'default'])
    .nullable()
    .describe('Where the value comes from; null when the setting has none.'),
  variables: z.array(z.string()).readonly().describe('Environment variables that set it.'),
});

const configReportSchema = z.object({
  settings: z.array(settingReportSchema).readonly(),
  api_key: z
    .object({ set: z.boolean() })
    .describe('Whether a key is in the environment; the key itself is never shown.'),
  expander: z.enum(CONFIG_EXPANDERS),
  files: z.object({ project: z.string().nullable(), user: z.string() }),
  trusted_base_urls: z.array(z.string()).readonly(),
  prompts: z
    .object({ digest: z.string(), files: z.array(z.string()).readonly(), trusted: z.boolean() })
    .nullable()
    .describe('The prompts of the repository; null when it brings none.'),
});

/** Every setting with the place it comes from. @throws PlanError INVALID_CONFIG */
export const showConfig = defineOperation({
  input: z.strictObject({}),
  output: configReportSchema,
  examples: ['plan config', 'plan config show --json'],
  mutates: false,
  async run(context) {
    const { environment } = context;
    const user = await context.userConfig();
    const resolved = resolveSettings({
      flags: {},
      environment: environment.variables,
      project: await context.projectConfig(),
      user,
    });
    const apiKey = apiKeyOf(environment.variables);
    const settings = (await context.documents())?.settings ?? null;
    const prompts = await readProjectPrompts(context);
    return {
      settings: CONFIG_NAMES.map((name) => ({
        name,
        value: shown(name, resolved.values),
        source: resolved.sources[name] ?? null,
        variables: VARIABLES[name] ?? [],
      })),
      api_key: { set: apiKey !== null },
      expander: resolved.values.expander ?? (hasModel(resolved, apiKey) ? 'model' : 'rules'),
      files: { project: settings?.location ?? null, user: userConfigPath(environment) },
      trusted_base_urls: user.trusted_base_urls ?? [],
      prompts: prompts && {
        digest: prompts.digest,
        files: prompts.files.map(({ name }) => name),
        trusted: arePromptsTrusted(prompts, user),
      },
    };
  },
});

function shown(name: ConfigName, values: ProjectConfig): unknown {
  const { extra_headers, database_url } = values;
  if (name === 'database_url' && database_url !== undefined) return '(set)';
  if (name === 'extra_headers' && extra_headers !== undefined) return shownHeaders(extra_headers);
  return values[name] ?? null;
}
