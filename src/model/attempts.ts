import { NO_USAGE } from '../plan/plan.js';
import type { Usage } from '../plan/schema.js';
import { backoffMs, retryAfterMs } from './backoff.js';
import { ALL_CAPABILITIES, common, withoutRefused, type Capabilities } from './capabilities.js';
import { demandOf, usageOf } from './call-usage.js';
import type { BudgetLimit, Question } from './chat-model.js';
import { parseCompletion, type Completion } from './completion.js';
import { shorten } from './error-text.js';
import type { Limiter } from './limiter.js';
import type { Meter, Reservation } from './meter.js';
import type { ModelEvent } from './model-event.js';
import type { ModelFacts } from './prices.js';
import { requestBody, type Turn } from './request.js';
import type { Exchange, Transport } from './transport.js';
import { judgeStatus, type Verdict } from './verdict.js';

/** A server that asks for a longer wait than this has failed for now. */
const LONGEST_WAIT_MS = 60_000;
/** How asking one model for one reply ended, after all retries. */
export type Outcome =
  | { readonly kind: 'completion'; readonly completion: Completion }
  | { readonly kind: 'failed'; readonly reason: string; readonly attempts: number }
  | { readonly kind: 'budget'; readonly limit: BudgetLimit }
  | { readonly kind: 'aborted' }
  | Exclude<Verdict, { kind: 'retry' }>;

/** One model of a server, with what has been learnt about it. */
export interface Endpoint {
  readonly model: string;
  readonly server: string;
  readonly facts: ModelFacts;
  readonly maxOutputTokens: number;
  capabilities: Capabilities;
  /** Until when the server has asked to be left alone for longer than anybody waits; milliseconds since 1970. */
  silentUntil: number;
}

/** What the endpoints of one client share. */
export interface Line {
  readonly transport: Transport;
  readonly limiter: Limiter;
  readonly meter: Meter;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly random: () => number;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly report: (event: ModelEvent) => void;
}

/** One reply to be had: the question, the turn it is in, and where its usage is charged to, call by call. */
export interface Errand {
  readonly question: Question<unknown>;
  readonly turn: Turn;
  readonly signal: AbortSignal;
  readonly charge: (usage: Usage) => void;
}

// What was wrong with one request, and what follows from it: how long to wait before the next.
type Trouble = {
  readonly kind: 'trouble';
  readonly reason: string;
  readonly retryAfterMs?: number | undefined;
  readonly throttled?: boolean;
  readonly tooLarge?: boolean;
};
type Fault = {
  readonly kind: 'fault';
  readonly reason: string;
  readonly waitMs: number;
  readonly throttled: boolean;
  readonly tooLarge: boolean;
};
type Settled = { readonly kind: 'learnt' } | Exclude<Outcome, { kind: 'failed' }>;
type Attempt = Fault | Settled;

/** An endpoint of which nothing has been learnt yet. */
export function createEndpoint(endpoint: Omit<Endpoint, 'capabilities' | 'silentUntil'>): Endpoint {
  return { ...endpoint, capabilities: ALL_CAPABILITIES, silentUntil: 0 };
}

/**
 * Asks one model for one reply: waits for a slot and for the budget before every request, follows refusals of
 * optional fields, retries faults.
 */
export async function requestReply(line: Line, endpoint: Endpoint, errand: Errand): Promise<Outcome> {
  if (line.now() < endpoint.silentUntil) return { kind: 'failed', reason: SILENT, attempts: 0 };
  for (let failures = 0; ;) {
    const attempt = await attemptOnce(line, endpoint, errand, failures);
    if (attempt.kind === 'learnt') continue;
    if (attempt.kind !== 'fault') return attempt;
    failures += 1;
    const { reason, waitMs, throttled, tooLarge } = attempt;
    if (waitMs > LONGEST_WAIT_MS) endpoint.silentUntil = line.now() + waitMs;
    if (waitMs > LONGEST_WAIT_MS || failures > (tooLarge ? 1 : line.maxRetries))
      return { kind: 'failed', reason, attempts: failures };
    line.report({ kind: 'retry', model: endpoint.model, failures, wait_ms: waitMs, reason });
    // The wait of a 429 is everybody's, and is kept by the limiter.
    if (!throttled) await line.sleep(waitMs, errand.signal);
  }
}

const SILENT = 'the server has asked for a longer wait than a minute';

async function attemptOnce(
  line: Line,
  endpoint: Endpoint,
  errand: Errand,
  failures: number,
): Promise<Attempt> {
  const { question, turn, signal } = errand;
  const body = requestBody(question, turn, endpoint.model, endpoint.maxOutputTokens, endpoint.capabilities);
  const demand = await demandOf(body, endpoint, line.meter);
  if (typeof demand === 'string') return { kind: 'rejected', code: 'cut_off', reason: demand };
  if (!(await line.limiter.acquire(signal))) return { kind: 'aborted' };
  try {
    const leave = await line.meter.reserve(demand, signal);
    if (leave.kind === 'limit') return { kind: 'budget', limit: leave.limit };
    if (leave.kind === 'aborted') return leave;
    const result = await send(line, endpoint, errand, leave);
    return result.kind === 'trouble' ? faultOf(line, endpoint, result, failures) : result;
  } finally {
    line.limiter.release();
  }
}

// Throttles before the slot is given on, so that nobody slips through in between.
function faultOf(line: Line, { model }: Endpoint, trouble: Trouble, failures: number): Fault {
  const wanted = trouble.retryAfterMs ?? backoffMs(failures, line.random);
  const left = (line.meter.remaining().seconds ?? Infinity) * 1000;
  const waitMs = wanted > LONGEST_WAIT_MS ? wanted : Math.min(wanted, left);
  const { throttled = false, tooLarge = false } = trouble;
  if (throttled && waitMs <= LONGEST_WAIT_MS) {
    line.limiter.throttle(waitMs);
    line.report({ kind: 'throttled', model, concurrency: line.limiter.concurrency, wait_ms: waitMs });
  }
  return { kind: 'fault', reason: trouble.reason, waitMs, throttled, tooLarge };
}

async function send(
  line: Line,
  endpoint: Endpoint,
  errand: Errand,
  leave: Reservation,
): Promise<Trouble | Settled> {
  const sent = endpoint.capabilities;
  const body = requestBody(errand.question, errand.turn, endpoint.model, leave.max_output_tokens, sent);
  const timeoutMs = Math.min(line.timeoutMs, (leave.seconds ?? Infinity) * 1000);
  let usage = NO_USAGE;
  let reported = false;
  try {
    const exchange = await line.transport.send(body, timeoutMs, errand.signal);
    const reply = exchange.kind === 'success' ? parseCompletion(exchange.text) : undefined;
    reported = reply?.input_tokens !== undefined;
    usage = await usageOf(exchange, reply, endpoint.facts, body);
    if (reply === undefined) return judge(exchange, endpoint, sent, line);
    if ('fault' in reply) return { kind: 'trouble', reason: reply.fault };
    line.limiter.succeed();
    return { kind: 'completion', completion: reply };
  } finally {
    errand.charge(usage);
    line.meter.settle(leave, usage, reported);
  }
}

function judge(exchange: Exchange, endpoint: Endpoint, sent: Capabilities, line: Line): Trouble | Settled {
  if (exchange.kind === 'aborted') return { kind: 'aborted' };
  if (exchange.kind === 'success') return { kind: 'trouble', reason: 'an empty reply' };
  if (exchange.kind === 'fault')
    return { kind: 'trouble', reason: exchange.reason, tooLarge: exchange.tooLarge };
  const verdict = judgeStatus(exchange, endpoint);
  if (verdict.kind === 'retry')
    return {
      kind: 'trouble',
      reason: verdict.reason,
      retryAfterMs: retryAfterMs(exchange.headers, line.now()),
      throttled: exchange.status === 429,
    };
  const refusal = verdict.kind === 'unavailable' && [400, 404, 422].includes(exchange.status);
  const left = refusal ? withoutRefused(sent, exchange.error) : undefined;
  if (left === undefined) return verdict;
  endpoint.capabilities = common(endpoint.capabilities, left);
  line.report({
    kind: 'learnt',
    model: endpoint.model,
    capabilities: endpoint.capabilities,
    reason: shorten(exchange.error.message),
  });
  return { kind: 'learnt' };
}
