import { PlanError } from '../errors.js';
import type { Settings } from '../plan/schema.js';
import { settingsSchema } from '../plan/schema.js';
import type { ConfigName, ProjectConfig, UserConfig } from './config.js';
import { CONFIG_NAMES, parseSetting } from './config.js';

/** The model that is asked when none is named. */
const DEFAULT_MODEL = 'gpt-4.1-mini';
export const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

/** Where a setting came from, strongest first. */
export type Source = 'flag' | 'plan' | 'environment' | 'project' | 'user' | 'default';

/** Every setting that has a value, and where each came from. */
export interface ResolvedSettings {
  readonly values: ProjectConfig;
  readonly sources: { readonly [Name in ConfigName]?: Source };
}

export interface SettingSources {
  readonly flags: ProjectConfig;
  /** Of a plan that is resumed. */
  readonly plan?: Settings | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly project: ProjectConfig;
  readonly user: UserConfig;
}

const DEFAULTS: ProjectConfig = {
  assess: 'inline',
  order: 'breadth',
  prompt_variant: 'standard',
  max_depth: 6,
  max_children: 7,
  max_goals: 1000,
  concurrency: 8,
  timeout_ms: 120_000,
  max_retries: 5,
  max_output_tokens: 4096,
};

/** Environment variables of each setting, strongest first. */
export const VARIABLES: Readonly<Partial<Record<ConfigName, readonly string[]>>> = {
  expander: ['FRCTL_EXPANDER'],
  model: ['FRCTL_MODEL', 'OPENAI_MODEL'],
  base_url: ['FRCTL_BASE_URL', 'OPENAI_BASE_URL'],
  fallback_models: ['FRCTL_FALLBACK_MODELS'],
  assess: ['FRCTL_ASSESS'],
  order: ['FRCTL_ORDER'],
  prompt_variant: ['FRCTL_PROMPT_VARIANT'],
  max_depth: ['FRCTL_MAX_DEPTH'],
  max_children: ['FRCTL_MAX_CHILDREN'],
  max_goals: ['FRCTL_MAX_GOALS'],
  concurrency: ['FRCTL_CONCURRENCY'],
  timeout_ms: ['FRCTL_TIMEOUT_MS'],
  max_retries: ['FRCTL_MAX_RETRIES'],
  max_output_tokens: ['FRCTL_MAX_OUTPUT_TOKENS'],
  context_tokens: ['FRCTL_CONTEXT_TOKENS'],
};
const BUDGET_VARIABLES: Readonly<Record<'calls' | 'tokens' | 'usd' | 'seconds', string>> = {
  calls: 'FRCTL_BUDGET_CALLS',
  tokens: 'FRCTL_BUDGET_TOKENS',
  usd: 'FRCTL_BUDGET_USD',
  seconds: 'FRCTL_BUDGET_SECONDS',
};

/**
 * Settles every setting: flag, then environment, `.plans/config.json`, user config, default. Of a plan
 * that is resumed, what was given as a flag when it was made outranks the environment, the rest does not.
 * @throws PlanError INVALID_INPUT for a variable that cannot be read
 */
export function resolveSettings(sources: SettingSources): ResolvedSettings {
  const plan = planValues(sources.plan);
  const weakestFirst: readonly (readonly [Source, ProjectConfig])[] = [
    ['default', DEFAULTS],
    ['user', configPart(sources.user)],
    ['project', sources.project],
    ['plan', plan.others],
    ['environment', environmentValues(sources.environment)],
    ['plan', plan.given],
    ['flag', sources.flags],
  ];
  const values: ProjectConfig = {};
  const origins: { [Name in ConfigName]?: Source } = {};
  for (const [source, layer] of weakestFirst) {
    const defined = Object.entries(layer).filter(([, value]) => value !== undefined);
    Object.assign(
      values,
      Object.fromEntries(defined),
      layer.budget && { budget: { ...values.budget, ...layer.budget } },
    );
    Object.assign(origins, Object.fromEntries(defined.map(([name]) => [name, source])));
  }
  return { values, sources: origins };
}

/** Whether there is any model to ask: a server that was named, or a key for the default one. */
export function hasModel(settings: ResolvedSettings, apiKey: string | null): boolean {
  return apiKey !== null || settings.values.base_url !== undefined;
}

/** The key, which comes from the environment and from nowhere else. */
export function apiKeyOf(environment: Readonly<Record<string, string | undefined>>): string | null {
  const key = environment.FRCTL_API_KEY ?? environment.OPENAI_API_KEY;
  return key === undefined || key.trim() === '' ? null : key.trim();
}

/** The settings that a plan keeps. */
export function planSettings(
  resolved: ResolvedSettings,
  expander: Settings['expander'],
  given: readonly string[],
  context: Settings['context'],
): Settings {
  const {
    model,
    base_url,
    fallback_models,
    assess,
    order,
    prompt_variant,
    max_depth,
    max_children,
    max_goals,
    concurrency,
    budget,
  } = resolved.values;
  const asked = expander === 'model' ? { model: model ?? DEFAULT_MODEL, base_url, fallback_models } : {};
  // Rules have no prompts.
  const variant = expander === 'rules' ? undefined : prompt_variant;
  return settingsSchema.parse(
    withoutUndefined({
      expander,
      ...asked,
      assess,
      order,
      prompt_variant: variant,
      max_depth,
      max_children,
      max_goals,
      concurrency,
      budget,
      context: context?.length === 0 ? undefined : context,
      given: given.length === 0 ? undefined : given,
    }),
  );
}

function planValues(settings: Settings | undefined): {
  readonly given: ProjectConfig;
  readonly others: ProjectConfig;
} {
  if (settings === undefined) return { given: {}, others: {} };
  const { expander: _chosen, context: _text, given = [], ...values } = settings;
  const named = Object.entries(values).filter(([name]) => (CONFIG_NAMES as readonly string[]).includes(name));
  return {
    given: Object.fromEntries(named.filter(([name]) => given.includes(name))),
    others: Object.fromEntries(named.filter(([name]) => !given.includes(name))),
  };
}

function environmentValues(environment: Readonly<Record<string, string | undefined>>): ProjectConfig {
  const values: ProjectConfig = {};
  for (const name of CONFIG_NAMES) {
    const variable = VARIABLES[name]?.find((candidate) => (environment[candidate] ?? '') !== '');
    if (variable !== undefined)
      Object.assign(values, parseSetting(name, environment[variable] ?? '', variable));
  }
  for (const [member, variable] of Object.entries(BUDGET_VARIABLES)) {
    const text = environment[variable] ?? '';
    if (text === '') continue;
    const number = Number(text);
    if (!Number.isFinite(number)) {
      throw new PlanError(
        'INVALID_INPUT',
        `${variable} must be a number, not ${JSON.stringify(text.slice(0, 40))}`,
      );
    }
    const { budget } = parseSetting('budget', JSON.stringify({ [member]: number }), variable);
    values.budget = { ...values.budget, ...budget };
  }
  return values;
}

function configPart(user: UserConfig): ProjectConfig {
  const { trusted_base_urls: _trusted, ...config } = user;
  return config;
}

function withoutUndefined(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}
