import { messageOf, PlanError } from '../kernel/errors.js';
import { addUsage, NO_USAGE } from '../plan/plan.js';
import type { Usage } from '../plan/schema.js';
import type { ChatModel } from './chat-model.js';
import { converse, type Asking, type Failure, type Result } from './reply/conversation.js';
import { createEndpoint, type CallContext, type Endpoint } from './endpoint.js';
import { learntAbout, recallInto, type Memory } from './learnt.js';
import { createLimiter, type Limiter } from './limiter.js';
import type { Meter } from './spend/meter.js';
import type { ModelEvent } from './model-event.js';
import type { Proxy } from './proxy.js';
import { lookUpModel, type PriceLists } from './spend/prices.js';
import { createTransport } from './transport.js';
import { allFailed } from './reply/verdict.js';

const OPENAI_URL = 'https://api.openai.com/v1';
const MAX_REPLY_BYTES = 32 * 1024 * 1024;

export interface ChatModelOptions {
  /** Where `/chat/completions` is; OpenAI's own when absent. */
  readonly baseUrl?: string | undefined;
  /** Without one, no Authorization header is sent. */
  readonly apiKey?: string | undefined;
  /** Whom OpenAI counts requests for, in headers of their own; not sent when absent. */
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  readonly model: string;
  /** Asked in this order, on the same server, when the model before has failed. */
  readonly fallbackModels?: readonly string[];
  /** How long one request may take (120,000 by default). */
  readonly timeoutMs?: number;
  /** Retries of one request to one model (5 by default); with 0 a server at its limit is not asked again either. */
  readonly maxRetries?: number;
  /** The longest reply to ask for (4096 by default). */
  readonly maxOutputTokens?: number;
  /** Tokens of prompt and reply together, where the price table does not know better. */
  readonly contextTokens?: number | undefined;
  /** Sent as it is, unless the server refuses it. */
  readonly reasoningEffort?: string | undefined;
  /** Sent as the query `api-version`. */
  readonly apiVersion?: string | undefined;
  /** Headers beside those of the protocol, by names in small letters; `authorization` takes the place of the key's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is scrubbed from every text of the server, as the key is. */
  readonly secrets?: readonly string[];
  /** What requests go through; they go straight to the server when absent. */
  readonly proxy?: Proxy | undefined;
  /** Members of every request, in place of the protocol's where they have the same name; null leaves one out. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
  readonly prices?: PriceLists | undefined;
  /** Requests under way at once (8 by default). */
  readonly concurrency?: number;
  /** Who may ask when, in place of the client's own limiter. */
  readonly limiter?: Limiter | undefined;
  readonly meter: Meter;
  /** Keeps what is learnt about the models of this server; without one it is learnt by every client anew. */
  readonly memory?: Memory | undefined;
  readonly random: () => number;
  /** Milliseconds since 1970, for waits that servers ask for. */
  readonly now: () => number;
  /** May resolve or reject when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onEvent?: (event: ModelEvent) => void;
  readonly userAgent: string;
}

/**
 * Makes the client of an OpenAI-compatible server: a chat model (docs/model-protocol.md). Sends nothing yet.
 * Rejects with INVALID_CONFIG for a base URL that is none or holds credentials, a key that no header can hold, and
 * a budget in dollars when the price of one of the models is not known.
 */
export async function createChatModel(options: ChatModelOptions): Promise<ChatModel> {
  const baseUrl = checkedUrl(options.baseUrl ?? OPENAI_URL);
  checkHeader('key', options.apiKey);
  checkHeader('organization', options.organization);
  checkHeader('project', options.project);
  const context = createCallContext(options, baseUrl);
  const models = [...new Set([options.model, ...(options.fallbackModels ?? [])])];
  const endpoints = await Promise.all(models.map((model) => endpointOf(model, baseUrl, options)));
  const keep = keeper(options, endpoints);
  return {
    get concurrency() {
      return context.limiter.concurrency;
    },
    async ask(question, signal, stop = signal) {
      let usage = NO_USAGE;
      const charge = (call: Usage): void => {
        usage = addUsage(usage, call);
      };
      const stopped = eitherOf(signal, stop);
      try {
        const asking = { question, signal, stop: stopped.signal, charge };
        return { ...(await askModels(context, endpoints, asking)), usage };
      } catch (thrown) {
        const message = context.transport.scrubError(messageOf(thrown));
        return { kind: 'unavailable', error: new PlanError('INTERNAL', message), usage };
      } finally {
        stopped.release();
        await keep();
      }
    },
  };
}

async function askModels<T>(
  context: CallContext,
  endpoints: readonly Endpoint[],
  asking: Asking<T>,
): Promise<Result<T>> {
  const notes: string[] = [];
  const failures: Failure[] = [];
  for (const [index, endpoint] of endpoints.entries()) {
    const result = await converse(context, endpoint, asking, notes);
    if (result.kind !== 'failed' && result.kind !== 'unavailable') return result;
    failures.push(result);
    const next = endpoints[index + 1];
    if (next === undefined) return noAnswer(endpoint, failures);
    const reason = result.kind === 'failed' ? result.reason : result.error.message;
    context.report({ kind: 'fallback', from: endpoint.model, to: next.model, reason });
    notes.push(`${endpoint.model} failed (${reason}); asked ${next.model}`);
  }
  throw new TypeError('a chat model has no endpoint');
}

// Of several errors the first that no retry mends is told: it is about the model that was asked for before the others.
function noAnswer(last: Endpoint, failures: readonly Failure[]): Result<never> {
  const permanent = failures.find((failure) => failure.kind === 'unavailable');
  const attempts = failures.reduce((sum, one) => sum + (one.kind === 'failed' ? one.attempts : 1), 0);
  const failed = failures.findLast((failure) => failure.kind === 'failed');
  const refused = failures.every((failure) => failure.kind === 'unavailable' && failure.scope === 'request');
  return {
    kind: 'unavailable',
    error:
      permanent?.error ?? allFailed(last, { attempts, reason: failed?.reason ?? '', until: failed?.until }),
    ...(refused ? { refused } : {}),
  };
}

/** A signal that aborts as soon as one of two does. */
function eitherOf(a: AbortSignal, b: AbortSignal): { readonly signal: AbortSignal; release(): void } {
  if (a === b) return { signal: a, release: () => undefined };
  const either = new AbortController();
  const abort = (): void => either.abort();
  if (a.aborted || b.aborted) abort();
  for (const one of [a, b]) one.addEventListener('abort', abort);
  return {
    signal: either.signal,
    release: () => {
      for (const one of [a, b]) one.removeEventListener('abort', abort);
    },
  };
}

function createCallContext(options: ChatModelOptions, baseUrl: string): CallContext {
  const { apiKey, organization, project, userAgent, meter, random, now, onEvent } = options;
  const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
    if (ms > 0 && !signal.aborted) await options.sleep(ms, signal).catch(() => undefined);
  };
  return {
    transport: createTransport({
      baseUrl,
      apiKey,
      organization,
      project,
      userAgent,
      maxReplyBytes: MAX_REPLY_BYTES,
      apiVersion: options.apiVersion,
      headers: options.headers ?? {},
      secrets: options.secrets ?? [],
      proxy: options.proxy,
    }),
    extras: { reasoningEffort: options.reasoningEffort, body: options.extraBody ?? {} },
    limiter: options.limiter ?? createLimiter({ concurrency: options.concurrency ?? 8, now, sleep }),
    meter,
    timeoutMs: options.timeoutMs ?? 120_000,
    maxRetries: options.maxRetries ?? 5,
    random,
    now,
    sleep,
    report: (event) => onEvent?.(event),
  };
}

async function endpointOf(model: string, server: string, options: ChatModelOptions): Promise<Endpoint> {
  const facts = await lookUpModel(model, server, options.prices);
  if (options.meter.limits('usd') && facts.costOf(0, 0) === null) throw unknownPrice(model, server);
  const endpoint = createEndpoint({
    model,
    server,
    proxy: options.proxy?.shown,
    facts,
    contextTokens: options.contextTokens ?? facts.contextTokens,
    maxOutputTokens: options.maxOutputTokens ?? 4096,
  });
  recallInto(endpoint, options.meter, await options.memory?.recall(model), options.contextTokens);
  return endpoint;
}

/** Keeps what is new about each of some endpoints whenever it is called. */
function keeper({ memory, meter }: ChatModelOptions, endpoints: readonly Endpoint[]): () => Promise<void> {
  const now = (): string[] => endpoints.map((endpoint) => JSON.stringify(learntAbout(endpoint, meter)));
  let kept = memory === undefined ? [] : now();
  return async () => {
    if (memory === undefined) return;
    const learnt = now();
    const changed = endpoints.filter((_, index) => learnt[index] !== kept[index]);
    kept = learnt;
    // Awaited, for a command ends with its last answer.
    await Promise.all(changed.map((one) => memory.keep(one.model, learntAbout(one, meter))));
  };
}

function unknownPrice(model: string, server: string): PlanError {
  return new PlanError(
    'INVALID_CONFIG',
    `a budget in US dollars cannot be kept: the price of ${model} at ${server} is not known`,
    {
      hint: {
        commandLine: `set it in your own config (plan config set prices … --user): "prices": { "${model}": { "input": …, "output": … } }, in dollars per million tokens`,
      },
      details: { model, server },
    },
  );
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const problem =
    url === undefined || !['http:', 'https:'].includes(url.protocol)
      ? 'is not an http or https URL'
      : url.username !== '' || url.password !== ''
        ? 'holds credentials'
        : url.search !== '' || url.hash !== ''
          ? 'has a query or a fragment'
          : undefined;
  // The URL is not repeated: what is wrong with it may be the secret in it.
  if (problem !== undefined)
    throw new PlanError('INVALID_CONFIG', `the base URL ${problem}`, {
      hint: { commandLine: 'give one such as https://api.openai.com/v1, and the key in OPENAI_API_KEY' },
    });
  return text.replace(/(?<!\/)\/+$/, '');
}

function checkHeader(name: 'key' | 'organization' | 'project', value: string | undefined): void {
  if (value === undefined || /^[\x21-\x7e]+$/.test(value)) return;
  const variable = { key: 'OPENAI_API_KEY', organization: 'OPENAI_ORG_ID', project: 'OPENAI_PROJECT_ID' }[
    name
  ];
  throw new PlanError('INVALID_CONFIG', `the ${name} is empty or holds characters that no ${name} has`, {
    hint: { commandLine: `check ${variable} for blanks, line ends and quotation marks` },
  });
}
