import { messageOf, PlanError } from '../errors.js';
import { addUsage, NO_USAGE } from '../plan/plan.js';
import type { Usage } from '../plan/schema.js';
import {
  createEndpoint,
  requestReply,
  type Endpoint,
  type Errand,
  type Line,
  type Outcome,
} from './attempts.js';
import type { Answer, ChatModel, Question } from './chat-model.js';
import { createLimiter } from './limiter.js';
import type { Completion } from './completion.js';
import type { Meter } from './meter.js';
import type { ModelEvent } from './model-event.js';
import { lookUpModel, type Price } from './prices.js';
import { FIRST_TURN, type Turn } from './request.js';
import { readReply, type Reading } from './structured.js';
import { createTransport, scrub } from './transport.js';
import { allFailed } from './verdict.js';

const OPENAI_URL = 'https://api.openai.com/v1';
const MAX_REPLY_BYTES = 32 * 1024 * 1024;

export interface ChatModelOptions {
  /** Where `/chat/completions` is; OpenAI's own when absent. */
  readonly baseUrl?: string | undefined;
  /** Without one, no Authorization header is sent. */
  readonly apiKey?: string | undefined;
  readonly model: string;
  /** Asked in this order, on the same server, when the model before has failed. */
  readonly fallbackModels?: readonly string[];
  /** How long one request may take (120,000 by default). */
  readonly timeoutMs?: number;
  /** Retries of one request to one model (5 by default). */
  readonly maxRetries?: number;
  /** The longest reply to ask for (4096 by default). */
  readonly maxOutputTokens?: number;
  /** Tokens of prompt and reply together, where the price table does not know better. */
  readonly contextTokens?: number | undefined;
  readonly prices?: Readonly<Record<string, Price>> | undefined;
  /** Requests under way at once (8 by default). */
  readonly concurrency?: number;
  readonly meter: Meter;
  readonly random: () => number;
  /** Milliseconds since 1970, for `Retry-After`. */
  readonly now: () => number;
  /** May resolve or reject when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onEvent?: (event: ModelEvent) => void;
  readonly userAgent: string;
}

/**
 * A chat model behind an OpenAI-compatible server (docs/model-protocol.md). Sends nothing yet. Rejects with
 * INVALID_CONFIG for a base URL that is none or holds credentials, a key that no header can hold, and a budget in dollars when the price of
 * one of the models is not known.
 */
export async function createChatModel(options: ChatModelOptions): Promise<ChatModel> {
  const baseUrl = checkedUrl(options.baseUrl ?? OPENAI_URL);
  checkKey(options.apiKey);
  const line = createLine(options, baseUrl);
  const models = [...new Set([options.model, ...(options.fallbackModels ?? [])])];
  const endpoints = await Promise.all(models.map((model) => endpointOf(model, baseUrl, options)));
  return {
    get concurrency() {
      return line.limiter.concurrency;
    },
    async ask(question, signal) {
      let usage = NO_USAGE;
      const charge = (call: Usage): void => {
        usage = addUsage(usage, call);
      };
      try {
        return { ...(await askModels(line, endpoints, { question, signal, charge })), usage };
      } catch (thrown) {
        const message = scrub(messageOf(thrown), options.apiKey);
        return { kind: 'unavailable', error: new PlanError('INTERNAL', message), usage };
      }
    },
  };
}

type Bare<T> = T extends unknown ? Omit<T, 'usage'> : never;
/** An answer before its usage is known. */
type Result<T> = Bare<Answer<T>>;
type Asking<T> = Omit<Errand, 'question' | 'turn'> & { readonly question: Question<T> };

async function askModels<T>(
  line: Line,
  endpoints: readonly Endpoint[],
  asking: Asking<T>,
): Promise<Result<T>> {
  const notes: string[] = [];
  let attempts = 0;
  for (const [index, endpoint] of endpoints.entries()) {
    const result = await converse(line, endpoint, asking, notes);
    if (result.kind !== 'failed') return result;
    attempts += result.attempts;
    const next = endpoints[index + 1];
    if (next === undefined)
      return { kind: 'unavailable', error: allFailed(endpoint, attempts, result.reason) };
    line.report({ kind: 'fallback', from: endpoint.model, to: next.model, reason: result.reason });
    notes.push(`${endpoint.model} failed (${result.reason}); asked ${next.model}`);
  }
  throw new TypeError('a chat model has no endpoint');
}

// At most three replies of one model: the first, a shorter one, a repaired one.
async function converse<T>(
  line: Line,
  endpoint: Endpoint,
  { question, ...errand }: Asking<T>,
  notes: string[],
): Promise<Result<T> | Extract<Outcome, { kind: 'failed' }>> {
  for (let turn: Turn = FIRST_TURN; ;) {
    const outcome = await requestReply(line, endpoint, { ...errand, question: unchecked(question), turn });
    if (outcome.kind !== 'completion') return outcome;
    const { texts, refusal, cut } = outcome.completion;
    if (refusal !== undefined) return { kind: 'rejected', code: 'refused', reason: refusal };
    const reading = readAny(texts, question);
    if (reading.kind === 'value') {
      if (reading.lenient === true) notes.push('a reply was not JSON as asked and was read leniently');
      return { kind: 'reply', value: reading.value, notes };
    }
    if (cut) {
      if (turn.shortened) return { kind: 'rejected', code: 'cut_off', reason: STILL_CUT };
      turn = { ...turn, shortened: true };
      notes.push('a reply was cut off by length; asked for a shorter one');
    } else {
      const errors = reading.errors.join('; ');
      if (turn.repair !== undefined) return { kind: 'rejected', code: 'invalid_reply', reason: errors };
      turn = { ...turn, repair: { reply: texts[0], errors: reading.errors } };
      notes.push(`a reply was not as asked and had to be repaired: ${errors}`);
    }
  }
}

// Of texts that cannot be read, the errors of the first are told, which is the one that is quoted back.
function readAny<T>([first, ...others]: Completion['texts'], question: Question<T>): Reading<T> {
  const reading = readReply(first, question);
  const [next, ...rest] = others;
  if (reading.kind === 'value' || next === undefined) return reading;
  const other = readAny([next, ...rest], question);
  return other.kind === 'value' ? other : reading;
}

const STILL_CUT = 'the reply was cut off by length, and so was a shorter one';

// A request needs all of a question but the check, whose parameter's type it cannot know.
function unchecked<T>({ check: _check, ...question }: Question<T>): Question<unknown> {
  return question;
}

function createLine(options: ChatModelOptions, baseUrl: string): Line {
  const { apiKey, userAgent, meter, random, now, onEvent } = options;
  const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
    if (ms > 0 && !signal.aborted) await options.sleep(ms, signal).catch(() => undefined);
  };
  return {
    transport: createTransport({ baseUrl, apiKey, userAgent, maxReplyBytes: MAX_REPLY_BYTES }),
    limiter: createLimiter({ concurrency: options.concurrency ?? 8, now, sleep }),
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
  return createEndpoint({
    model,
    server,
    facts: { ...facts, contextTokens: options.contextTokens ?? facts.contextTokens },
    maxOutputTokens: options.maxOutputTokens ?? 4096,
  });
}

function unknownPrice(model: string, server: string): PlanError {
  return new PlanError(
    'INVALID_CONFIG',
    `a budget in US dollars cannot be kept: the price of ${model} at ${server} is not known`,
    {
      hint: `set it in the config: "prices": { "${model}": { "input": …, "output": … } }, in dollars per million tokens`,
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
      hint: 'give one such as https://api.openai.com/v1, and the key in OPENAI_API_KEY',
    });
  return text.replace(/\/+$/, '');
}

function checkKey(apiKey: string | undefined): void {
  if (apiKey === undefined || /^[\x21-\x7e]+$/.test(apiKey)) return;
  throw new PlanError('INVALID_CONFIG', 'the key is empty or holds characters that no key has', {
    hint: 'check OPENAI_API_KEY for blanks, line ends and quotation marks',
  });
}
