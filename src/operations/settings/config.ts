import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { jsonPath } from '../../plan/invariants.js';
import { budgetSchema, settingsSchema } from '../../plan/schema.js';
import { whileLocked } from '../../host/files/file-lock.js';
import { realFolder } from '../../host/files/folders.js';
import { replaceFile } from '../../host/files/replace-file.js';
import { readTextFileIfAny } from '../../host/files/text-files.js';
import type { SettingsDocument } from '../../storage/documents.js';
import { userConfigPath } from '../shared/environment.js';
import type { Environment } from '../shared/environment.js';
import {
  extraBodySchema,
  extraHeadersSchema,
  refuseFromRepository,
  refuseStoredSecrets,
} from './extra-request.js';

const { shape } = settingsSchema;

/** What a config file may hold; the same in `.plans/config.json` and in the user's own. */
export const projectConfigSchema = z
  .strictObject({
    expander: z.enum(['model', 'rules']).optional(),
    model: z.string().min(1).optional(),
    base_url: z.string().min(1).optional(),
    fallback_models: z.array(z.string().min(1)).optional(),
    assess: shape.assess.optional(),
    order: shape.order.optional(),
    prompt_variant: shape.prompt_variant,
    max_depth: shape.max_depth.optional(),
    max_children: shape.max_children.optional(),
    max_goals: shape.max_goals.optional(),
    concurrency: shape.concurrency.optional(),
    budget: z.strictObject(budgetSchema.shape).optional(),
    prices: z
      .record(
        z.string(),
        z.strictObject({ input: z.number().nonnegative(), output: z.number().nonnegative() }),
      )
      .optional()
      .describe('US dollars per million tokens, by model.'),
    timeout_ms: z.int().positive().optional().describe('Longest silence of a server, in milliseconds.'),
    max_retries: z.int().min(0).max(100).optional().describe('Retries of one request to one model.'),
    max_output_tokens: z.int().min(256).optional(),
    context_tokens: z.int().min(2000).optional().describe('What the model can read at once.'),
    reasoning_effort: z
      .string()
      .regex(/^[a-z]{1,20}$/, 'not a word such as low, medium or high')
      .optional(),
    api_version: z
      .string()
      .regex(/^[\w.-]{1,40}$/, 'not a version')
      .optional()
      .describe('Sent as the query api-version, as Azure wants it.'),
    extra_headers: extraHeadersSchema.optional(),
    extra_body: extraBodySchema.optional(),
  })
  .meta({ title: 'frctl config' });

const userConfigSchema = projectConfigSchema.extend({
  trusted_base_urls: z.array(z.string()).optional(),
  trusted_prompts: z.array(z.string()).optional().describe('Digests of the prompts of repositories.'),
});

export type ProjectConfig = z.infer<typeof projectConfigSchema>;
export type UserConfig = z.infer<typeof userConfigSchema>;
export type ConfigName = keyof ProjectConfig;

export const CONFIG_NAMES: readonly ConfigName[] = projectConfigSchema.keyof().options;

/** @throws PlanError INVALID_CONFIG naming file and JSON path */
export async function readProjectConfig(settings: SettingsDocument): Promise<ProjectConfig> {
  return projectConfigOf(await settings.read(), settings.location);
}

function projectConfigOf(text: string | null, location: string): ProjectConfig {
  const config = parseText(text, location, projectConfigSchema);
  refuseFromRepository(config, location);
  return config;
}

/** @throws PlanError INVALID_CONFIG naming file and JSON path */
export async function readUserConfig(environment: Environment): Promise<UserConfig> {
  const path = userConfigPath(environment);
  const config = parseText(await readTextFileIfAny(path), path, userConfigSchema);
  refuseStoredSecrets(config.extra_headers, path);
  return config;
}

/**
 * Changes the user's own config, as it is when no other process changes it. The file itself may be a link of the user's.
 * @throws PlanError INVALID_CONFIG, STORAGE_FAILED
 */
export async function changeUserConfig(
  environment: Environment,
  change: (config: UserConfig) => UserConfig,
): Promise<void> {
  const path = realFolder(userConfigPath(environment));
  await whileLocked(path, async () => {
    const config = change(await readUserConfig(environment));
    refuseStoredSecrets(config.extra_headers, path);
    await replaceFile(path, textOf(config));
  });
}

/** The same for the config of a store. @throws PlanError INVALID_CONFIG, STORAGE_FAILED */
export async function changeProjectConfig(
  settings: SettingsDocument,
  change: (config: ProjectConfig) => ProjectConfig,
): Promise<void> {
  await settings.change((text) => {
    const config = change(projectConfigOf(text, settings.location));
    refuseFromRepository(config, settings.location);
    return textOf(config);
  });
}

function textOf(config: UserConfig): string {
  return `${JSON.stringify(config, null, 2)}\n`;
}

/**
 * A config with one setting changed as it is typed on a command line: JSON where the setting is not a
 * text; a name with a dot (`budget.calls`) sets a member.
 * @throws PlanError INVALID_CONFIG
 */
export function withSetting(config: ProjectConfig, name: string, text: string): ProjectConfig {
  const { top, member } = partsOf(name);
  const value =
    member === undefined ? valueOf(top, text) : { ...memberOf(config, top), [member]: jsonOr(text) };
  return parseConfig({ ...config, [top]: value }, projectConfigSchema, `the setting ${name}`);
}

/**
 * One setting from a flag or an environment variable.
 * @param place how the user calls it, such as `--max-depth`
 * @throws PlanError INVALID_INPUT
 */
export function parseSetting(name: ConfigName, text: string, place: string): ProjectConfig {
  const parsed = projectConfigSchema.safeParse({ [name]: valueOf(name, text) });
  if (parsed.success) return parsed.data;
  const reason = parsed.error.issues[0]?.message ?? 'not allowed';
  throw new PlanError('INVALID_INPUT', `${place} cannot be ${JSON.stringify(text.slice(0, 80))}: ${reason}`);
}

/** The same config without a setting, or a member of one. @throws PlanError INVALID_CONFIG for a name that is none */
export function withoutSetting(config: ProjectConfig, name: string): ProjectConfig {
  const { top, member } = partsOf(name);
  const before = memberOf(config, top);
  if (member !== undefined && !Object.hasOwn(before, member)) return config;
  const left = Object.entries(before).filter(([key]) => key !== member);
  const changed = member === undefined ? {} : { [top]: Object.fromEntries(left) };
  const rest = Object.entries(config).filter(([key]) => key !== top);
  return parseConfig({ ...Object.fromEntries(rest), ...changed }, projectConfigSchema, `the setting ${name}`);
}

/** A setting and its member, which begins after the first dot and may hold others: `prices.gpt-4.1`. */
function partsOf(name: string): { readonly top: string; readonly member: string | undefined } {
  const dot = name.indexOf('.');
  return dot === -1
    ? { top: name, member: undefined }
    : { top: name.slice(0, dot), member: name.slice(dot + 1) };
}

function parseText<T>(text: string | null, path: string, schema: z.ZodType<T>): T {
  if (text === null || text.trim() === '') return schema.parse({});
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PlanError(
      'INVALID_CONFIG',
      `${path} is not JSON: ${cause instanceof Error ? cause.message : ''}`,
      {
        details: { path },
      },
    );
  }
  return parseConfig(value, schema, path);
}

function parseConfig<T>(value: unknown, schema: z.ZodType<T>, place: string): T {
  const secret =
    typeof value === 'object' && value !== null
      ? Object.keys(value).find((key) => /key|secret|token$/i.test(key))
      : undefined;
  if (secret !== undefined) {
    throw new PlanError('INVALID_CONFIG', `${place} holds ${secret}; keys are never kept in a file`, {
      hint: 'Remove it, and set OPENAI_API_KEY in the environment.',
    });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = jsonPath(issue?.path ?? []);
  throw new PlanError('INVALID_CONFIG', `${place}: ${issue?.message ?? 'not a config'} at ${where}`, {
    hint: `Settings are ${CONFIG_NAMES.join(', ')}.`,
    details: {
      problems: parsed.error.issues.map(({ path, message }) => ({ path: jsonPath(path), message })),
    },
  });
}

const TEXTS: ReadonlySet<string> = new Set([
  'expander',
  'model',
  'base_url',
  'assess',
  'order',
  'prompt_variant',
  'reasoning_effort',
  'api_version',
]);

function valueOf(name: string, text: string): unknown {
  if (TEXTS.has(name)) return text;
  if (name === 'fallback_models' && !text.startsWith('['))
    return text.split(',').map((model) => model.trim());
  return jsonOr(text);
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function memberOf(config: ProjectConfig, name: string): object {
  const value: unknown = Object.entries(config).find(([key]) => key === name)?.[1];
  return typeof value === 'object' && value !== null ? value : {};
}
