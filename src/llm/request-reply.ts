import { NO_USAGE } from '../plan/plan.js';
import type { Usage } from '../plan/schema.js';
import { mostUsageOfCall, usageOf } from './spend/call-usage.js';
import type { BudgetLimit, Question } from './chat-model.js';
import { parseCompletion, type Completion } from './reply/chat-completion.js';
import { outputTokens, type CallContext, type Endpoint } from './endpoint.js';
import { faultOf, type Fault, type RetryableFailure } from './faults.js';
import { learnFrom, type Sent } from './lessons.js';
import type { Slot } from './limiter.js';
import { usageOfCall } from './spend/meter.js';
import type { Reservation } from './spend/meter.js';
import { requestBody, type Turn } from './request.js';
import type { Exchange } from './transport.js';
import { judgeConnection, judgeStatus, type Verdict } from './reply/verdict.js';
import { waitAsked } from './wait-asked.js';

/** How asking one model for one reply ended, after all retries. */
export type Outcome =
  /** `room` is how many tokens of output it was given. */
  | { readonly kind: 'completion'; readonly completion: Completion; readonly room: number }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly attempts: number;
      /** Until when the server wants to be left alone, where that is why it is not asked again. */
      readonly until?: number | undefined;
    }
  | { readonly kind: 'budget'; readonly limit: BudgetLimit }
  | { readonly kind: 'aborted' }
  | Exclude<Verdict, { kind: 'retry' }>;

/** One reply to be had: the question, the turn it is in, and where its usage is charged to, call by call. */
export interface ReplyRequest {
  readonly question: Question<unknown>;
  readonly turn: Turn;
  /** When aborted, the request under way is dropped. Aborts no earlier than `stop`. */
  readonly signal: AbortSignal;
  /** When aborted, waits end and no further request is sent. */
  readonly stop: AbortSignal;
  readonly charge: (usage: Usage) => void;
}

type FinalOutcome = { readonly kind: 'learnt' } | Exclude<Outcome, { kind: 'failed' }>;

/**
 * Asks one model for one reply: waits for a slot and for the budget before every request, follows refusals of
 * optional fields, retries faults.
 */
export async function requestReply(
  context: CallContext,
  endpoint: Endpoint,
  request: ReplyRequest,
): Promise<Outcome> {
  let failures = 0;
  for (let attempts = 0; ;) {
    if (request.stop.aborted) return { kind: 'aborted' };
    if (endpoint.lost !== undefined) return endpoint.lost;
    if (context.now() < endpoint.cooldownUntil)
      return { kind: 'failed', reason: COOLING_DOWN.reason, attempts, until: endpoint.cooldownUntil };
    const attempt = await attemptOnce(context, endpoint, request, failures);
    if (attempt.kind === 'learnt') continue;
    if (attempt.kind !== 'fault') return attempt;
    const { reason, waitMs, limited, over } = attempt;
    const until = attempt === COOLING_DOWN ? endpoint.cooldownUntil : attempt.until;
    if (attempt !== COOLING_DOWN) attempts += 1;
    if (over) return { kind: 'failed', reason, attempts, until };
    if (!limited) failures += 1;
    context.report({ kind: 'retry', model: endpoint.model, failures: attempts, wait_ms: waitMs, reason });
    if (!limited) await context.sleep(waitMs, request.stop);
  }
}

const COOLING_DOWN: Fault = {
  kind: 'fault',
  reason: 'the server has asked for a longer wait than a minute, or was asked in vain for minutes',
  waitMs: 0,
  limited: false,
  over: true,
};

async function attemptOnce(
  context: CallContext,
  endpoint: Endpoint,
  request: ReplyRequest,
  failures: number,
): Promise<Fault | FinalOutcome> {
  const { question, turn, stop } = request;
  const body = requestBody(
    question,
    turn,
    endpoint.model,
    outputTokens(endpoint),
    endpoint.capabilities,
    context.extras,
  );
  const demand = await mostUsageOfCall(body, endpoint, context.meter, turn.tooFew);
  if (typeof demand === 'string') return { kind: 'rejected', code: 'cut_off', reason: demand };
  const slot = await context.limiter.acquire(stop);
  if (slot === undefined) return { kind: 'aborted' };
  try {
    // What others have found out while this one waited.
    if (endpoint.lost !== undefined) return endpoint.lost;
    if (context.now() < endpoint.cooldownUntil) return COOLING_DOWN;
    const leave = await context.meter.reserve(demand, stop);
    if (leave.kind === 'limit') return { kind: 'budget', limit: leave.limit };
    if (leave.kind === 'aborted') return leave;
    const result = await send(context, endpoint, request, { leave, slot });
    return result.kind === 'retryable' ? faultOf(context, endpoint, result, { failures, slot }) : result;
  } finally {
    slot.release();
  }
}

async function send(
  context: CallContext,
  endpoint: Endpoint,
  request: ReplyRequest,
  { leave, slot }: { readonly leave: Reservation; readonly slot: Slot },
): Promise<RetryableFailure | FinalOutcome> {
  const { capabilities } = endpoint;
  const body = requestBody(
    request.question,
    request.turn,
    endpoint.model,
    leave.max_output_tokens,
    capabilities,
    context.extras,
  );
  let usage = NO_USAGE;
  let reported = false;
  try {
    const exchange = await context.transport.send(body, context.timeoutMs, request.signal);
    const reply =
      exchange.kind === 'success' ? parseCompletion(exchange.text, context.transport.scrub) : undefined;
    reported = reply?.input_tokens !== undefined;
    usage = await usageOf({ exchange, reply }, { facts: endpoint.facts, body, leave });
    if (reply === undefined) return judge(exchange, endpoint, { capabilities, leave }, context);
    if ('fault' in reply) return { kind: 'retryable', reason: reply.fault };
    slot.succeed();
    if (!slot.stale) endpoint.crowded = undefined;
    return { kind: 'completion', completion: reply, room: leave.max_output_tokens };
  } finally {
    request.charge(usageOfCall(leave, usage));
    context.meter.settle(leave, usage, reported);
  }
}

function judge(
  exchange: Exchange,
  endpoint: Endpoint,
  sent: Sent,
  context: CallContext,
): RetryableFailure | FinalOutcome {
  if (exchange.kind === 'aborted') return { kind: 'aborted' };
  if (exchange.kind === 'success') return { kind: 'retryable', reason: 'an empty reply' };
  if (exchange.kind === 'fault') return judgeFault(exchange, endpoint);
  const verdict = judgeStatus(exchange, endpoint);
  if (learnFrom(exchange, verdict, { context, endpoint, sent })) return { kind: 'learnt' };
  if (verdict.kind === 'retry') {
    const waitMs = waitAsked(exchange.headers, exchange.error, context.now());
    return { kind: 'retryable', reason: verdict.reason, waitMs, limited: exchange.status === 429 };
  }
  if (verdict.kind === 'unavailable' && verdict.scope === 'model') endpoint.lost = verdict;
  return verdict;
}

function judgeFault(
  fault: Extract<Exchange, { kind: 'fault' }>,
  endpoint: Endpoint,
): RetryableFailure | FinalOutcome {
  const verdict = judgeConnection(fault, endpoint);
  if (verdict === undefined) return { kind: 'retryable', reason: fault.reason, tooLarge: fault.tooLarge };
  endpoint.lost = verdict;
  return verdict;
}
