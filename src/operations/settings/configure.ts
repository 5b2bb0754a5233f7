import { PlanError } from '../../kernel/errors.js';
import { NO_USAGE } from '../../plan/plan.js';
import type { Usage } from '../../plan/schema.js';
import { configPath } from '../../storage/file/layout.js';
import {
  changeProjectConfig,
  changeUserConfig,
  CONFIG_NAMES,
  withoutSetting,
  withSetting,
} from './config.js';
import type { ConfigName, ProjectConfig } from './config.js';
import type { Context } from '../shared/context.js';
import { userConfigPath } from '../shared/environment.js';
import { choosePlanning } from '../planning/expanders.js';
import type { PlanningFlags } from '../planning/expanders.js';
import { shownHeaders } from '../planning/extra-request.js';
import { connectModel } from '../planning/model-connection.js';
import { arePromptsTrusted, readProjectPrompts } from '../planning/project-prompts.js';
import { apiKeyOf, hasModel, resolveSettings, VARIABLES } from './settings.js';
import type { Source } from './settings.js';
import { endpointOf, normalizeBaseUrl, withTrusted, withTrustedPrompts } from './trust.js';

/** So many characters of a digest name prompts. */
const LEAST_DIGEST = 12;

export interface SettingReport {
  readonly name: ConfigName;
  readonly value: unknown;
  /** Where the value comes from; null when the setting has none. */
  readonly source: Source | null;
  /** Environment variables that set it. */
  readonly variables: readonly string[];
}

export interface ConfigReport {
  readonly settings: readonly SettingReport[];
  /** Whether a key is in the environment; the key itself is never shown. */
  readonly api_key: { readonly set: boolean };
  readonly expander: 'model' | 'rules';
  readonly files: { readonly project: string | null; readonly user: string };
  readonly trusted_base_urls: readonly string[];
  /** The prompts of the repository; null when it brings none. */
  readonly prompts: {
    readonly digest: string;
    readonly files: readonly string[];
    readonly trusted: boolean;
  } | null;
}

/** Every setting with the place it comes from. @throws PlanError INVALID_CONFIG */
export async function showConfig(context: Context): Promise<ConfigReport> {
  const { environment } = context;
  const user = await context.userConfig();
  const resolved = resolveSettings({
    flags: {},
    environment: environment.variables,
    project: await context.projectConfig(),
    user,
  });
  const apiKey = apiKeyOf(environment.variables);
  const folder = context.storeFolder();
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
    files: { project: folder === null ? null : configPath(folder), user: userConfigPath(environment) },
    trusted_base_urls: user.trusted_base_urls ?? [],
    prompts: prompts && {
      digest: prompts.digest,
      files: prompts.files.map(({ name }) => name),
      trusted: arePromptsTrusted(prompts, user),
    },
  };
}

function shown(name: ConfigName, values: ProjectConfig): unknown {
  const { extra_headers } = values;
  if (name === 'extra_headers' && extra_headers !== undefined) return shownHeaders(extra_headers);
  return values[name] ?? null;
}

/**
 * Sets a setting, or removes it with `value` null, in `.plans/config.json` or in the user's own config.
 * @throws PlanError INVALID_CONFIG, STORE_NOT_FOUND, STORAGE_FAILED
 */
export async function setConfig(
  context: Context,
  change: { readonly name: string; readonly value: string | null; readonly user: boolean },
): Promise<{ readonly name: string; readonly file: string }> {
  const { name, value } = change;
  const [top = ''] = name.split('.', 1);
  if (!(CONFIG_NAMES as readonly string[]).includes(top)) {
    throw new PlanError('INVALID_CONFIG', `${JSON.stringify(name.slice(0, 40))} is no setting`, {
      hint: /key|token|secret/i.test(name)
        ? 'A key is read from OPENAI_API_KEY in the environment and is kept nowhere.'
        : `Settings are ${CONFIG_NAMES.join(', ')}.`,
    });
  }
  if (top === 'base_url' && value !== null) normalizeBaseUrl(value);
  const changed = (config: ProjectConfig) =>
    value === null ? withoutSetting(config, name) : withSetting(config, name, value);
  const file = change.user ? userConfigPath(context.environment) : projectConfigFile(context);
  if (change.user) {
    await changeUserConfig(context.environment, ({ trusted_base_urls, trusted_prompts, ...settings }) => ({
      ...changed(settings),
      trusted_base_urls,
      trusted_prompts,
    }));
  } else await changeProjectConfig(file, changed);
  return { name, file };
}

/** Lets goals, results and the environment's key be sent to a server that a repository names. @throws PlanError INVALID_INPUT */
export async function trustBaseUrl(
  context: Context,
  url: string,
): Promise<{ readonly base_url: string; readonly file: string }> {
  const baseUrl = normalizeBaseUrl(url);
  await changeUserConfig(context.environment, (user) => withTrusted(user, baseUrl));
  return { base_url: baseUrl, file: userConfigPath(context.environment) };
}

/** Prompts that the user has trusted. */
export interface TrustedPrompts {
  readonly digest: string;
  readonly files: readonly string[];
  readonly file: string;
}

/**
 * Lets the prompts of the repository, as they are now, be sent to a model.
 * @param expected the beginning of their digest, so that what was read is what is trusted
 * @throws PlanError FILE_NOT_FOUND when there are none, REFUSED when they are others, INVALID_PROMPT
 */
export async function trustPrompts(context: Context, expected: string | undefined): Promise<TrustedPrompts> {
  const prompts = await readProjectPrompts(context);
  if (prompts === null)
    throw new PlanError('FILE_NOT_FOUND', 'there are no prompts in .plans/prompts to trust');
  const { digest, files } = prompts;
  if (expected !== undefined && (expected.length < LEAST_DIGEST || !digest.startsWith(expected)))
    throw new PlanError('REFUSED', `the prompts of .plans/prompts are others: their digest is ${digest}`, {
      hint: 'They have changed since you read them. Read them again.',
      details: { digest },
    });
  const { loadPrompts } = await import('../../llm/prompts.js');
  await loadPrompts(Object.fromEntries(files.map(({ name, text }) => [name, text])));
  await changeUserConfig(context.environment, (user) => withTrustedPrompts(user, digest));
  return { digest, files: files.map(({ name }) => name), file: userConfigPath(context.environment) };
}

export interface ConfigTest {
  readonly model: string;
  readonly base_url: string;
  readonly usage: Usage;
  readonly notes: readonly string[];
}

export interface ConfigTestOptions extends PlanningFlags {
  /** When aborted, waits end and the call in flight is dropped. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes one real call to the model that planning would ask.
 * @throws PlanError what the model failed with (exit 5), INTERRUPTED, INVALID_CONFIG when no model is configured
 */
export async function testConfig(context: Context, flags: ConfigTestOptions): Promise<ConfigTest> {
  const { settings, resolved } = await choosePlanning(context, {
    settings: { ...flags.settings, expander: 'model' },
  });
  const endpoint = endpointOf(
    resolved,
    apiKeyOf(context.environment.variables),
    await context.userConfig(),
    undefined,
  );
  const notes: string[] = [];
  const model = await connectModel(context, {
    settings,
    resolved,
    spent: undefined,
    endpoint,
    emit: (event) => event.type === 'notice' && notes.push(event.message),
  });
  const { testQuestion } = await import('../../planning/model-expander.js');
  const answer = await model.ask(await testQuestion(), flags.signal ?? new AbortController().signal);
  if (answer.kind === 'unavailable') throw answer.error;
  if (answer.kind === 'aborted') throw new PlanError('INTERRUPTED', 'the test was interrupted');
  if (answer.kind !== 'reply') {
    const reason = answer.kind === 'rejected' ? answer.reason : answer.kind;
    throw new PlanError(
      'MODEL_FAILED',
      `${settings.model ?? 'the model'} answered, but not with what was asked for: ${reason}`,
    );
  }
  return {
    model: settings.model ?? '',
    base_url: endpoint.baseUrl,
    usage: answer.usage ?? NO_USAGE,
    notes: [...notes, ...answer.notes],
  };
}

function projectConfigFile(context: Context): string {
  const folder = context.storeFolder();
  if (folder !== null) return configPath(folder);
  context.store();
  throw new PlanError('STORE_NOT_FOUND', 'a store in memory has no config file');
}
