import { isDeepStrictEqual } from 'node:util';

import { PlanError } from '../../kernel/errors.js';
import { truncate } from '../../kernel/text/truncate.js';
import { isCommandModel } from '../../llm/command/presets.js';
import type { PriceLists } from '../../llm/spend/prices.js';
import type { Budget, Settings } from '../../plan/schema.js';
import { settingsSchema } from '../../plan/schema.js';
import { USUAL_CHILDREN } from '../../planning/child-quota.js';
import type { ConfigName, ProjectConfig, UserConfig } from './config.js';
import { CONFIG_NAMES, parseSetting } from './config.js';
import { GUARDED_SETTINGS } from './own-settings.js';
import type { OwnSettings } from './own-settings.js';

/** The model that is asked when none is named. */
const DEFAULT_MODEL = 'gpt-4.1-mini';
export const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

/** Where a setting came from, strongest first. */
export type Source = 'flag' | 'plan' | 'environment' | 'project' | 'user' | 'default';

/** Every setting that has a value, and where each came from. */
export interface ResolvedSettings {
  readonly values: ProjectConfig;
  readonly sources: { readonly [Name in ConfigName]?: Source };
  /** Prices by who says them: a repository's may raise a cost and never lower it. */
  readonly prices: PriceLists;
  /** Settings that the repository decides although the user's own config says otherwise. */
  readonly overridden: readonly ConfigName[];
  /** Settings of the repository that the user's own config does not give way to. */
  readonly refused: readonly ConfigName[];
}

export interface SettingSources {
  readonly flags: ProjectConfig;
  /** Of a plan that is resumed. */
  readonly plan?: Settings | undefined;
  /** What the user himself gave for that plan. */
  readonly own?: OwnSettings | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly project: ProjectConfig;
  readonly user: UserConfig;
}

/** What counts where nothing else is said. */
export const DEFAULTS = {
  assess: 'inline',
  order: 'breadth',
  prompt_variant: 'standard',
  max_depth: 6,
  max_children: USUAL_CHILDREN,
  max_goals: 1000,
  concurrency: 8,
  timeout_ms: 120_000,
  max_retries: 5,
  max_output_tokens: 4096,
} as const satisfies ProjectConfig;

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
  link: ['FRCTL_LINK'],
  triage: ['FRCTL_TRIAGE'],
  timeout_ms: ['FRCTL_TIMEOUT_MS'],
  max_retries: ['FRCTL_MAX_RETRIES'],
  max_output_tokens: ['FRCTL_MAX_OUTPUT_TOKENS'],
  context_tokens: ['FRCTL_CONTEXT_TOKENS'],
  reasoning_effort: ['FRCTL_REASONING_EFFORT'],
  api_version: ['FRCTL_API_VERSION'],
  extra_headers: ['FRCTL_EXTRA_HEADERS'],
  extra_body: ['FRCTL_EXTRA_BODY'],
  database_url: ['FRCTL_DATABASE_URL'],
};
const BUDGET_VARIABLES: Readonly<Record<'calls' | 'tokens' | 'usd' | 'seconds', string>> = {
  calls: 'FRCTL_BUDGET_CALLS',
  tokens: 'FRCTL_BUDGET_TOKENS',
  usd: 'FRCTL_BUDGET_USD',
  seconds: 'FRCTL_BUDGET_SECONDS',
};

/**
 * Resolves every setting: flag, then environment, `.plans/config.json`, user config, default. Of a plan
 * that is resumed, what was given as a flag when it was made outranks the environment, the rest does not; of settings
 * that a stranger's plan could do harm with, only what this user gave. Against the user's own config a repository neither
 * raises a budget, nor has a model asked, nor waits longer for one.
 * @throws PlanError INVALID_INPUT for a variable that cannot be read
 */
export function resolveSettings(sources: SettingSources): ResolvedSettings {
  const plan = planValues(sources.plan, sources.own ?? {});
  const user = configPart(sources.user);
  const layers: readonly Layer[] = [
    { source: 'default', values: DEFAULTS },
    { source: 'user', values: user },
    { source: 'project', values: sources.project, isRepository: true },
    { source: 'plan', values: plan.others, isRepository: true },
    { source: 'environment', values: environmentValues(sources.environment) },
    { source: 'plan', values: plan.given },
    { source: 'flag', values: sources.flags },
  ];
  const { values, sources: origins, fromRepository } = merged(layers);
  const refused = KEPT_FROM_REPOSITORY.filter(
    (name) => fromRepository.has(name) && isWorse(name, values, user),
  );
  const overridden = SHOWN_WHEN_OVERRIDDEN.filter(
    (name) =>
      fromRepository.has(name) && user[name] !== undefined && !isDeepStrictEqual(user[name], values[name]),
  );
  const own = { ...user.prices, ...sources.flags.prices };
  return {
    values: { ...values, ...pick(user, refused), ...budgetOf(layers, user.budget) },
    sources: { ...origins, ...Object.fromEntries(refused.map((name) => [name, 'user' as const])) },
    prices: { own, project: sources.project.prices ?? {} },
    overridden,
    refused,
  };
}

interface Layer {
  readonly source: Source;
  readonly values: ProjectConfig;
  readonly isRepository?: boolean;
}

/** Settings in which a repository does not go beyond the user's own config. */
const KEPT_FROM_REPOSITORY = ['expander', 'timeout_ms'] as const;
/** Settings that decide who is asked, and at what price. */
const SHOWN_WHEN_OVERRIDDEN = ['base_url', 'model', 'fallback_models'] as const;

function isWorse(
  name: (typeof KEPT_FROM_REPOSITORY)[number],
  values: ProjectConfig,
  user: ProjectConfig,
): boolean {
  return name === 'expander'
    ? values.expander === 'model' && (user.expander === 'rules' || user.expander === 'agent')
    : (values.timeout_ms ?? 0) > (user.timeout_ms ?? Infinity);
}

function merged(weakestFirst: readonly Layer[]) {
  const values: ProjectConfig = {};
  const sources: { [Name in ConfigName]?: Source } = {};
  const fromRepository = new Set<string>();
  for (const { source, values: layer, isRepository } of weakestFirst) {
    const defined = Object.entries(layer).filter(([, value]) => value !== undefined);
    Object.assign(values, Object.fromEntries(defined));
    Object.assign(sources, Object.fromEntries(defined.map(([name]) => [name, source])));
    for (const [name] of defined) {
      if (isRepository === true) fromRepository.add(name);
      else fromRepository.delete(name);
    }
  }
  return { values, sources, fromRepository };
}

/** The budget, by member. What a repository says counts where the user's own config says nothing, or more. */
function budgetOf(weakestFirst: readonly Layer[], own: Budget = {}): Pick<ProjectConfig, 'budget'> {
  let all: Budget | undefined;
  for (const { values, isRepository } of weakestFirst) {
    const { budget } = values;
    if (budget !== undefined) all = { ...all, ...(isRepository === true ? atMost(budget, own) : budget) };
  }
  return all === undefined ? {} : { budget: all };
}

function atMost(budget: Budget, own: Budget): Budget {
  return Object.fromEntries(
    Object.entries(budget).map(([name, limit]) => [
      name,
      Math.min(Number(limit), Number(own[name] ?? limit)),
    ]),
  );
}

function pick(config: ProjectConfig, names: readonly ConfigName[]): ProjectConfig {
  return Object.fromEntries(Object.entries(config).filter(([name]) => names.some((one) => one === name)));
}

/** Whether the settings give any model to ask: a server that was named, or a key for the default one. */
export function hasModel(settings: ResolvedSettings, apiKey: string | null): boolean {
  const { base_url, model } = settings.values;
  return apiKey !== null || base_url !== undefined || isCommandModel(model);
}

/** The API key, which no settings file holds: it comes from the environment and from nowhere else. */
export function apiKeyOf(environment: Readonly<Record<string, string | undefined>>): string | null {
  const keys = [environment.FRCTL_API_KEY, environment.OPENAI_API_KEY].map((key) => key?.trim() ?? '');
  return keys.find((key) => key !== '') ?? null;
}

/**
 * Returns whom OpenAI counts requests for, as its own client is told: like the key, in the environment and nowhere else.
 */
export function openAiAccount(environment: Readonly<Record<string, string | undefined>>) {
  const [organization, project] = [environment.OPENAI_ORG_ID, environment.OPENAI_PROJECT_ID].map(
    (value) => value?.trim() || undefined,
  );
  return { organization, project };
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
    link,
    budget,
  } = resolved.values;
  const asked = expander === 'model' ? { model: model ?? DEFAULT_MODEL, base_url, fallback_models } : {};
  // Whoever sets a number of parts gets it at the root too, which has ten where nobody does.
  const isChosen = resolved.sources.max_children !== 'default' && resolved.sources.max_children !== 'plan';
  const named = isChosen ? [...new Set([...given, 'max_children'])] : given;
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
      // Rules ask nothing.
      link: expander === 'rules' ? undefined : link,
      budget,
      context: context?.length === 0 ? undefined : context,
      given: named.length === 0 ? undefined : named,
    }),
  );
}

function planValues(
  settings: Settings | undefined,
  own: OwnSettings,
): {
  readonly given: ProjectConfig;
  readonly others: ProjectConfig;
} {
  if (settings === undefined) return { given: {}, others: {} };
  const { expander: _chosen, context: _text, given = [], ...values } = settings;
  const named = Object.entries(values).filter(([name]) => (CONFIG_NAMES as readonly string[]).includes(name));
  const isGiven = (name: string, value: unknown) =>
    given.includes(name) && (!GUARDED_SETTINGS.includes(name) || isGivenByUser(own, name, value));
  return {
    given: {
      ...Object.fromEntries(named.filter(([name, value]) => isGiven(name, value))),
      // Whatever the plan says by now: of a budget what the user gave holds, and what is not in it is the repository's.
      ...(own.budget === undefined ? {} : { budget: own.budget }),
    },
    others: Object.fromEntries(named.filter(([name, value]) => !isGiven(name, value))),
  };
}

/** Whether the user himself gave a setting of a plan, and gave just this. */
export function isGivenByUser(own: OwnSettings, name: string, value: unknown): boolean {
  return Object.entries(own).some(([one, given]) => one === name && isDeepStrictEqual(given, value));
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
        `${variable} must be a number, not ${JSON.stringify(truncate(text, 40))}`,
      );
    }
    const { budget } = parseSetting('budget', JSON.stringify({ [member]: number }), variable);
    values.budget = { ...values.budget, ...budget };
  }
  return values;
}

function configPart(user: UserConfig): ProjectConfig {
  const {
    trusted_base_urls: _urls,
    trusted_prompts: _prompts,
    trusted_commands: _commands,
    model_command: _command,
    trusted_tools: _toolsFiles,
    trusted_approvers: _approvers,
    trusted_files: _files,
    unasked_tools: _unasked,
    tools: _tools,
    ...config
  } = user;
  return config;
}

function withoutUndefined(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}
