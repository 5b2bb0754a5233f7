import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { LONGEST_TIMER_MS } from '../../kernel/longest-timer.js';
import { NO_USAGE } from '../../plan/plan.js';
import type { Settings, Usage } from '../../plan/schema.js';
import type { ChatModel } from '../../llm/chat-model.js';
import type { ModelEvent } from '../../llm/model-event.js';
import type { Meter } from '../../llm/spend/meter.js';
import type { Proxy } from '../../llm/proxy.js';
import { isFolder } from '../../host/files/folders.js';
import { appendLine } from '../../host/files/text-files.js';
import { PlanError } from '../../kernel/errors.js';
import { VERSION } from '../../kernel/version.js';
import type { Context } from '../shared/context.js';
import type { Environment } from '../shared/environment.js';
import { fileToChange } from '../shared/named-file.js';
import type { Connection, Spending } from './connection.js';
import type { Emit } from './planning-progress.js';
import { readProjectPrompts, refuseUntrustedPrompts } from './project-prompts.js';
import { bookedMeter, limitsCalls } from './budget/begun-calls.js';
import { promptsInEffect, tellEffects, settingsInEffect } from './repository-effects.js';
import { openAiAccount } from '../settings/settings.js';
import type { ResolvedSettings } from '../settings/settings.js';

/** Tokens of prompt and reply together that a model is taken to read when nothing is known of it. */
const UNKNOWN_CONTEXT = 16_000;
/** Tokens of the system prompt with the schema, generously. */
const SYSTEM_TOKENS = 2000;
const LEAST_PROMPT = 1000;

const COMMAND_TIMEOUT_MS = 120_000;

/** What it takes to ask a model: a server or a recording, the settings, and what has been spent. */
export interface ModelWiring extends Spending {
  readonly settings: Settings;
  readonly resolved: ResolvedSettings;
  readonly spent: Usage | undefined;
  readonly emit: Emit;
  readonly endpoint?: { readonly baseUrl: string; readonly apiKey: string | null };
  /** A command of this machine that answers in place of a server. */
  readonly command?: readonly string[];
  readonly record?: string | undefined;
  readonly replay?: { readonly file: string; readonly text: string };
}

/** The meter of a process that plans alone. */
async function ownMeter(
  { settings: { budget }, spent = NO_USAGE, book }: ModelWiring,
  now: () => number,
): Promise<Meter> {
  const { createMeter } = await import('../../llm/spend/meter.js');
  const meter = createMeter({ budget, spent, now });
  return book === undefined || budget === undefined || !limitsCalls(budget)
    ? meter
    : bookedMeter(meter, book);
}

/**
 * Connects to the server, or to the recording, that is wired. Sends nothing yet, and says what the repository has decided.
 * @throws PlanError UNTRUSTED_PROMPTS, INVALID_PROMPT, INVALID_INPUT for a damaged recording, INVALID_CONFIG
 */
export async function connectPlanner(context: Context, wiring: ModelWiring): Promise<Connection> {
  const { effects, ...shared } = await promptsFor(context, wiring);
  tellEffects([...settingsInEffect(wiring.resolved), ...effects], wiring.emit);
  if (wiring.replay !== undefined) {
    const { replayModel } = await import('../../llm/recording.js');
    return { ...shared, kind: 'replay', model: replayModel(wiring.replay.text, wiring.replay.file) };
  }
  const model =
    wiring.command === undefined
      ? await connectModel(context, wiring)
      : await commandModel(context, wiring, wiring.command);
  return { ...shared, kind: 'model', model: await recorded(context, model, wiring.record) };
}

/**
 * The prompts for a connection to a model, how long they may be, and what the repository decides of them.
 * @throws PlanError UNTRUSTED_PROMPTS, INVALID_PROMPT
 */
export async function promptsFor(
  context: Context,
  wiring: Pick<ModelWiring, 'settings' | 'resolved' | 'endpoint' | 'replay'>,
) {
  return { ...(await promptsOf(context, wiring)), promptTokens: await promptTokensOf(wiring) };
}

/** The prompts, with what the project has put in their place. @throws PlanError INVALID_PROMPT, UNTRUSTED_PROMPTS */
async function promptsOf(context: Context, { replay }: Pick<ModelWiring, 'replay'>) {
  const { loadPrompts } = await import('../../llm/prompts.js');
  const own = await readProjectPrompts(context);
  const prompts = await loadPrompts(
    Object.fromEntries((own?.files ?? []).map(({ name, text }) => [name, text])),
  );
  // A recording is no server: nothing is sent.
  if (own !== null && replay === undefined) refuseUntrustedPrompts(own, await context.userConfig());
  return { prompts, effects: promptsInEffect(own) };
}

/** A chat model as the settings say, on a budget that counts what the plan has spent. */
export async function connectModel({ environment }: Context, wiring: ModelWiring): Promise<ChatModel> {
  const { settings, resolved, emit, endpoint, shared } = wiring;
  const { createChatModel } = await import('../../llm/client.js');
  const { createLimiter } = await import('../../llm/limiter.js');
  const { timeout_ms, max_retries, max_output_tokens, context_tokens, reasoning_effort } = resolved.values;
  const { api_version, extra_headers, extra_body } = resolved.values;
  const { headersToSend } = await import('../settings/extra-request.js');
  const { learntModels } = await import('./learnt-models.js');
  return createChatModel({
    baseUrl: endpoint?.baseUrl,
    apiKey: endpoint?.apiKey ?? undefined,
    ...openAiAccount(environment.variables),
    model: settings.model ?? '',
    fallbackModels: settings.fallback_models ?? [],
    ...(timeout_ms === undefined ? {} : { timeoutMs: Math.min(timeout_ms, LONGEST_TIMER_MS) }),
    ...(max_retries === undefined ? {} : { maxRetries: max_retries }),
    ...(max_output_tokens === undefined ? {} : { maxOutputTokens: max_output_tokens }),
    contextTokens: context_tokens,
    memory: endpoint && learntModels(environment, endpoint.baseUrl),
    reasoningEffort: reasoning_effort,
    apiVersion: api_version,
    extraBody: extra_body,
    ...headersToSend(extra_headers, environment.variables),
    proxy: endpoint && (await proxyTo(endpoint.baseUrl, environment)),
    prices: resolved.prices,
    concurrency: settings.concurrency,
    limiter: shared?.limiter(
      `${endpoint?.baseUrl ?? ''} ${settings.model ?? ''}`,
      createLimiter({ concurrency: settings.concurrency, now: environment.now, sleep }),
    ),
    meter: shared?.meter ?? (await ownMeter(wiring, environment.now)),
    random: environment.random,
    now: environment.now,
    sleep,
    onEvent: (event) => emit({ type: 'notice', ...noticeOf(event) }),
    userAgent: `frctl/${VERSION}`,
  });
}

/** A command as the model. It runs in the user's home, so that nothing that a repository brings configures it. */
async function commandModel(
  { environment }: Context,
  wiring: ModelWiring,
  argv: readonly string[],
): Promise<ChatModel> {
  const { createCommandModel } = await import('../../llm/command/command-model.js');
  const { settings, resolved, shared } = wiring;
  const name = settings.model ?? '';
  const variables = withoutOwnSecrets(environment.variables);
  return createCommandModel({
    name,
    secrets: secretsIn(variables),
    limiter: (own) => shared?.limiter(`command ${name}`, own) ?? own,
    argv,
    folder: environment.homeFolder,
    variables,
    timeoutMs: Math.min(resolved.values.timeout_ms ?? COMMAND_TIMEOUT_MS, LONGEST_TIMER_MS),
    concurrency: settings.concurrency,
    meter: shared?.meter ?? (await ownMeter(wiring, environment.now)),
    now: environment.now,
    sleep,
  });
}

/** A command needs neither the key of another model nor the way into the team's database; its own variables it keeps. */
function withoutOwnSecrets(
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const { FRCTL_API_KEY: _key, FRCTL_DATABASE_URL: _database, ...others } = variables;
  return others;
}

/** A shorter value is part of any text. */
const LEAST_SECRET = 8;
const SECRET_NAME = /KEY(?:_|$)|TOKEN|SECRET|PASSWORD|CREDENTIAL|(?:^|_)AUTH(?:_|$)/i;

/** The values of variables that are secrets by their names. */
function secretsIn(variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(variables).flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) && value.trim().length >= LEAST_SECRET ? [value.trim()] : [],
  );
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal });
}

/** The proxy that the environment names, whatever a repository says. @throws PlanError INVALID_CONFIG */
async function proxyTo(server: string, { variables }: Environment): Promise<Proxy | undefined> {
  if (!Object.keys(variables).some((name) => /_proxy$/i.test(name))) return undefined;
  const { proxyFor } = await import('../../llm/proxy.js');
  return proxyFor(server, variables);
}

/**
 * Tokens that a prompt may have. More room than an unknown model has would not be used, since every part
 * of a prompt has a limit of its own; so a recording is replayed with the prompts it was made with.
 */
async function promptTokensOf({
  settings,
  resolved,
  endpoint,
}: Pick<ModelWiring, 'settings' | 'resolved' | 'endpoint'>): Promise<number> {
  const { lookUpModel } = await import('../../llm/spend/prices.js');
  const { context_tokens, max_output_tokens = 0 } = resolved.values;
  const known = endpoint && (await lookUpModel(settings.model ?? '', endpoint.baseUrl)).contextTokens;
  const whole = context_tokens ?? Math.min(known ?? UNKNOWN_CONTEXT, UNKNOWN_CONTEXT);
  return Math.max(LEAST_PROMPT, whole - max_output_tokens - SYSTEM_TOKENS);
}

/**
 * @throws PlanError INVALID_INPUT for a recording that is a link, no file, in no folder, or in the store; STORAGE_FAILED for
 *   one that cannot be written; before anything is asked
 */
async function recorded(context: Context, model: ChatModel, file: string | undefined): Promise<ChatModel> {
  if (file === undefined) return model;
  const { recordingModel } = await import('../../llm/recording.js');
  const path = fileToChange(context, file);
  if (!isFolder(dirname(path)))
    throw new PlanError('INVALID_INPUT', `there is no folder ${dirname(path)} for the recording`, {
      hint: { commandLine: 'Make it, or name a file elsewhere.' },
      details: { path },
    });
  await appendLine(path, '');
  return recordingModel(model, (line) => appendLine(path, line));
}

function noticeOf(event: ModelEvent): { readonly message: string; readonly topic?: string } {
  switch (event.kind) {
    case 'retry':
      return {
        message: `${event.model}: ${event.reason}; trying again in ${seconds(event.wait_ms)}`,
        topic: `${event.kind} ${event.model} ${event.reason}`,
      };
    case 'throttled':
      return {
        message: `${event.model} is rate-limited; now at most ${event.concurrency} at once`,
        topic: `${event.kind} ${event.model}`,
      };
    case 'learnt':
      return { message: `${event.model}: ${event.reason}` };
    case 'fallback':
      return { message: `${event.from} failed (${event.reason}); asking ${event.to}` };
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
