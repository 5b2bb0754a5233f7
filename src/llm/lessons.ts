import { LEAST_OUTPUT_TOKENS } from './spend/bounds.js';
import { common, withoutRefused, type Capabilities } from './capabilities.js';
import type { CallContext, Endpoint } from './endpoint.js';
import { shorten } from './error-text.js';
import type { Reservation } from './spend/meter.js';
import { namedLimits, type NamedLimits } from './spend/token-limits.js';
import type { Exchange } from './transport.js';
import type { Verdict } from './reply/verdict.js';

/** No model worth planning with reads less, so a smaller number in a message is about something else. */
const LEAST_CONTEXT = 1024;
/** Tokenizers differ by no more than this; a greater ratio comes from a message that means something else. */
const GREATEST_RATIO = 3;

type Refusal = Extract<Exchange, { kind: 'status' }>;

/** What a request was sent with. */
export interface Sent {
  readonly capabilities: Capabilities;
  readonly leave: Reservation;
}

/**
 * Learns the lesson of a server's refusal, what to send instead: within the limits on tokens that it names, or
 * with what is left of the optional fields. Each lesson gives something up, so that one request is refused but a
 * few times.
 * @returns whether there was anything to learn, so that the same question should be asked again at once
 */
export function learnFrom(
  refusal: Refusal,
  verdict: Verdict,
  {
    context,
    endpoint,
    sent,
  }: { readonly context: CallContext; readonly endpoint: Endpoint; readonly sent: Sent },
): boolean {
  const { status, error } = refusal;
  // What is said of the text, or of the reply, may name a field without being about it.
  const aboutFields = verdict.kind === 'unavailable' || verdict.kind === 'retry';
  const limits =
    [400, 413, 422].includes(status) || isTooLargeForEver(refusal) ? namedLimits(error) : undefined;
  const learnt =
    (limits !== undefined && learnLimits(limits, context, endpoint, sent)) ||
    (aboutFields && ASKED_DIFFERENTLY.has(status) && learnFields(refusal, endpoint, sent));
  if (learnt) {
    const { model, capabilities } = endpoint;
    context.report({ kind: 'learnt', model, capabilities, reason: shorten(error.message) });
  }
  return learnt;
}

// Templates and grammars that fail are told with the status of a server in failure by some.
const ASKED_DIFFERENTLY = new Set([400, 404, 422, 500, 501]);

function isTooLargeForEver({ status, error }: Refusal): boolean {
  return status === 429 && /request too large/i.test(error.message);
}

function learnLimits(
  limits: NamedLimits,
  context: CallContext,
  endpoint: Endpoint,
  { leave }: Sent,
): boolean {
  const { outputTokens, contextTokens, promptTokens, tooMuch } = limits;
  const asked = leave.max_output_tokens;
  if (outputTokens !== undefined && outputTokens < asked) return capOutput(endpoint, outputTokens);
  if (contextTokens !== undefined && contextTokens >= LEAST_CONTEXT) {
    const ratio = (promptTokens ?? 0) / leave.demand.input_tokens;
    const known = context.meter.scaleOf(endpoint.model)?.input ?? 1;
    const counted = leave.demand.input_tokens !== leave.demand.most_input_tokens;
    const countsMore = counted && ratio > known && ratio <= GREATEST_RATIO;
    if (countsMore) context.meter.assume(endpoint.model, { input: ratio, output: 1 });
    const smaller = contextTokens < (endpoint.contextTokens ?? Infinity);
    if (smaller) endpoint.contextTokens = contextTokens;
    if (smaller || countsMore) return true;
  }
  const half = Math.floor(asked / 2);
  return tooMuch === true && half >= LEAST_OUTPUT_TOKENS && capOutput(endpoint, half);
}

function capOutput(endpoint: Endpoint, tokens: number): boolean {
  endpoint.outputCap = Math.min(endpoint.outputCap, tokens);
  return true;
}

function learnFields({ status, error }: Refusal, endpoint: Endpoint, { capabilities }: Sent): boolean {
  const left = withoutRefused(capabilities, error, status >= 500);
  if (left === undefined) return false;
  endpoint.capabilities = common(endpoint.capabilities, left);
  return true;
}
