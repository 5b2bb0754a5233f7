import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { PlanError } from '../errors.js';
import type { Plan } from '../plan/plan.js';
import { NO_USAGE } from '../plan/plan.js';
import type { Settings, Usage } from '../plan/schema.js';
import type { ChatModel } from '../model/chat-model.js';
import type { ModelEvent } from '../model/model-event.js';
import type { Expander } from '../planner/expander.js';
import type { Method } from '../rules/methods.js';
import { appendLine, readTextFile, readTextFolder } from '../store/text-files.js';
import { VERSION } from '../version.js';
import { noteOwnBaseUrl, parseSettings, readOwnBaseUrl } from './config.js';
import type { ProjectConfig } from './config.js';
import { storePath } from './context.js';
import type { Context } from './context.js';
import type { Emit } from './planning-run.js';
import { apiKeyOf, hasModel, planSettings, resolveSettings } from './settings.js';
import type { ResolvedSettings } from './settings.js';
import { endpointOf } from './trust.js';

/** Tokens of prompt and reply together that a model is taken to read when nothing is known of it. */
const UNKNOWN_CONTEXT = 16_000;
/** Tokens of the system prompt with the schema, generously. */
const SYSTEM_TOKENS = 1500;
const LEAST_PROMPT = 1000;

/** What a caller may say about how to plan; all of it optional. */
export interface PlanningFlags {
  readonly settings?: ProjectConfig | undefined;
  /** Writes every question and answer to this file. */
  readonly record?: string | undefined;
  /** Answers from this file, with no network. */
  readonly replay?: string | undefined;
}

/** How a plan will be planned. */
export interface PlanningChoice {
  readonly settings: Settings;
  readonly resolved: ResolvedSettings;
  /** A server that the user himself named just now, by flag or environment. */
  readonly ownBaseUrl: string | null;
  /** @param spent what the plan has used so far, which its budget counts */
  readonly makeExpander: (spent: Usage | undefined, emit: Emit) => Promise<Expander>;
  /** What the user should know about the choice. */
  readonly notice: string | null;
}

/**
 * Settles who expands the goals and with which settings. Without a model the built-in rules plan, and say
 * so; nothing fails for the lack of a key unless a model was asked for.
 * @throws PlanError UNTRUSTED_BASE_URL, INVALID_CONFIG, INVALID_INPUT, FILE_NOT_FOUND
 */
export async function choosePlanning(
  context: Context,
  flags: PlanningFlags,
  made: { readonly plan?: Plan; readonly contextTexts?: Settings['context'] } = {},
): Promise<PlanningChoice> {
  const before = made.plan?.header.settings;
  const resolved = resolveSettings({
    flags: parseSettings(flags.settings ?? {}),
    plan: before,
    environment: context.environment.variables,
    project: await context.projectConfig(),
    user: await context.userConfig(),
  });
  const apiKey = apiKeyOf(context.environment.variables);
  const kind = chooseKind(flags, before, resolved, apiKey);
  const given = [...new Set([...(before?.given ?? []), ...Object.keys(flags.settings ?? {})])];
  const settings = planSettings(resolved, kind, given, made.contextTexts ?? before?.context);
  const shared = { settings, resolved, ownBaseUrl: null, notice: null };
  if (kind === 'rules') {
    const chosen = resolved.values.expander === 'rules' || before !== undefined;
    return { ...shared, notice: chosen ? null : NO_MODEL, makeExpander: () => makeRulesExpander(context) };
  }
  if (kind === 'replay') {
    const file = flags.replay ?? stringOf(before?.replay);
    if (file === null)
      throw new PlanError('INVALID_INPUT', 'this plan was replayed; --replay FILE names the recording');
    const text = await readTextFile(resolve(context.environment.workingFolder, file));
    return {
      ...shared,
      settings: { ...settings, replay: file },
      makeExpander: (spent, emit) =>
        makeModelExpander(context, { settings, resolved, spent, emit, replay: { file, text } }),
    };
  }
  const own = made.plan === undefined ? null : await readOwnBaseUrl(context.environment, made.plan.header.id);
  const endpoint = endpointOf(resolved, apiKey, await context.userConfig(), own);
  const source = resolved.sources.base_url;
  return {
    ...shared,
    settings: resolved.values.base_url === undefined ? settings : { ...settings, base_url: endpoint.baseUrl },
    ownBaseUrl: source === 'flag' || source === 'environment' ? endpoint.baseUrl : null,
    makeExpander: (spent, emit) =>
      makeModelExpander(context, { settings, resolved, spent, emit, endpoint, record: flags.record }),
  };
}

/**
 * Remembers for a plan that the user himself chose its server, so that resuming it needs no flag. A file that
 * cannot be written costs only that convenience.
 */
export async function rememberOwnBaseUrl(
  { environment }: Context,
  planId: string,
  { ownBaseUrl }: PlanningChoice,
): Promise<void> {
  if (ownBaseUrl === null) return;
  if ((await readOwnBaseUrl(environment, planId)) === ownBaseUrl) return;
  await noteOwnBaseUrl(environment, planId, ownBaseUrl).catch(() => undefined);
}

const NO_MODEL =
  'Planned by the built-in rules, because no model is configured. ' +
  'Set OPENAI_API_KEY, or OPENAI_BASE_URL for any OpenAI-compatible server, to plan with a model.';

function chooseKind(
  flags: PlanningFlags,
  before: Settings | undefined,
  resolved: ResolvedSettings,
  apiKey: string | null,
): Settings['expander'] {
  if (flags.replay !== undefined) return 'replay';
  const asked = flags.settings?.expander ?? before?.expander ?? resolved.values.expander;
  if (asked === undefined) return hasModel(resolved, apiKey) ? 'model' : 'rules';
  if (asked === 'model' && !hasModel(resolved, apiKey)) {
    throw new PlanError('INVALID_CONFIG', 'a model is asked for, but none is configured', {
      hint: 'Set OPENAI_API_KEY, or give --base-url (OPENAI_BASE_URL); or plan with --expander rules.',
    });
  }
  return asked;
}

async function makeRulesExpander(context: Context): Promise<Expander> {
  const { createRulesExpander } = await import('../planner/rules-expander.js');
  return createRulesExpander(await readMethods(context));
}

/** Every method there is, those of the project first. @throws PlanError INVALID_METHOD */
export async function readMethods(context: Context): Promise<readonly Method[]> {
  const { browserMethods, builtInMethods, parseMethod } = await import('../rules/methods.js');
  const folder = storePath(context, 'methods');
  const files = folder === null ? [] : await readTextFolder(folder, '.yaml');
  return [
    ...files.map(({ path, text }) => parseMethod(text, path)),
    ...builtInMethods(),
    ...browserMethods(),
  ];
}

interface ModelWiring {
  readonly settings: Settings;
  readonly resolved: ResolvedSettings;
  readonly spent: Usage | undefined;
  readonly emit: Emit;
  readonly endpoint?: { readonly baseUrl: string; readonly apiKey: string | null };
  readonly record?: string | undefined;
  readonly replay?: { readonly file: string; readonly text: string };
}

async function makeModelExpander(context: Context, wiring: ModelWiring): Promise<Expander> {
  const { createModelExpander } = await import('../planner/model-expander.js');
  const { loadPrompts } = await import('../model/prompts.js');
  const folder = storePath(context, 'prompts');
  const overrides = folder === null ? [] : await readTextFolder(folder, '.md');
  const prompts = await loadPrompts(Object.fromEntries(overrides.map(({ name, text }) => [name, text])));
  const promptTokens = await promptTokensOf(wiring);
  if (wiring.replay !== undefined) {
    const { replayModel } = await import('../model/recording.js');
    const model = replayModel(wiring.replay.text, wiring.replay.file);
    return createModelExpander({ kind: 'replay', model, prompts, promptTokens });
  }
  const model = await connectModel(context, wiring);
  return createModelExpander({
    kind: 'model',
    model: await recorded(context, model, wiring.record),
    prompts,
    promptTokens,
  });
}

/** A chat model as the settings say, on a budget that counts what the plan has spent. */
export async function connectModel(
  { environment }: Context,
  { settings, resolved, spent, emit, endpoint }: ModelWiring,
): Promise<ChatModel> {
  const { createChatModel } = await import('../model/client.js');
  const { createMeter } = await import('../model/meter.js');
  const { timeout_ms, max_output_tokens, context_tokens, prices } = resolved.values;
  return createChatModel({
    baseUrl: endpoint?.baseUrl,
    apiKey: endpoint?.apiKey ?? undefined,
    model: settings.model ?? '',
    fallbackModels: settings.fallback_models ?? [],
    ...(timeout_ms === undefined ? {} : { timeoutMs: timeout_ms }),
    ...(max_output_tokens === undefined ? {} : { maxOutputTokens: max_output_tokens }),
    contextTokens: context_tokens,
    prices,
    concurrency: settings.concurrency,
    meter: createMeter({
      budget: settings.budget,
      spent: spent ?? NO_USAGE,
      now: environment.now,
    }),
    random: environment.random,
    now: environment.now,
    sleep: async (ms, signal) => {
      await wait(ms, undefined, { signal });
    },
    onEvent: (event) => emit({ type: 'notice', message: noticeOf(event) }),
    userAgent: `frctl/${VERSION}`,
  });
}

/**
 * Tokens that a prompt may have. More room than an unknown model has would not be used, since every part
 * of a prompt has a limit of its own; so a recording is replayed with the prompts it was made with.
 */
async function promptTokensOf({ settings, resolved, endpoint }: ModelWiring): Promise<number> {
  const { lookUpModel } = await import('../model/prices.js');
  const { context_tokens, max_output_tokens = 0 } = resolved.values;
  const known = endpoint && (await lookUpModel(settings.model ?? '', endpoint.baseUrl)).contextTokens;
  const whole = context_tokens ?? Math.min(known ?? UNKNOWN_CONTEXT, UNKNOWN_CONTEXT);
  return Math.max(LEAST_PROMPT, whole - max_output_tokens - SYSTEM_TOKENS);
}

async function recorded(
  { environment }: Context,
  model: ChatModel,
  file: string | undefined,
): Promise<ChatModel> {
  if (file === undefined) return model;
  const { recordingModel } = await import('../model/recording.js');
  return recordingModel(model, (line) => appendLine(resolve(environment.workingFolder, file), line));
}

function noticeOf(event: ModelEvent): string {
  switch (event.kind) {
    case 'retry':
      return `${event.model}: ${event.reason}; trying again in ${seconds(event.wait_ms)}`;
    case 'throttled':
      return `${event.model} asks for fewer requests; at most ${event.concurrency} at once now`;
    case 'learnt':
      return `${event.model}: ${event.reason}`;
    case 'fallback':
      return `${event.from} failed (${event.reason}); asking ${event.to}`;
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
