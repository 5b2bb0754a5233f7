import { NO_USAGE } from '../../plan/plan.js';
import type { Usage } from '../../plan/schema.js';
import { LEAST_OUTPUT_TOKENS, type Demand } from './bounds.js';
import type { parseCompletion } from '../reply/chat-completion.js';
import { outputTokens, type Endpoint } from '../endpoint.js';
import type { Meter, Reservation } from './meter.js';
import type { ModelFacts } from './prices.js';
import type { RequestBody } from '../request.js';
import { countTokens, mostTokens } from './tokens.js';
import type { Exchange } from '../transport.js';

/** Role names, separators and the like, which servers count and texts do not hold. */
export const FRAME_TOKENS = 32;

/**
 * The tokens that a call may use at most; a text says why it cannot be sent at all. Tokens are counted only where a
 * budget or the context window makes them matter.
 * @param tooFew tokens of output that are known not to do
 */
export async function mostUsageOfCall(
  body: RequestBody,
  endpoint: Endpoint,
  meter: Meter,
  tooFew = 0,
): Promise<Demand | string> {
  const { model, facts } = endpoint;
  const maxOutput = outputTokens(endpoint);
  const prompt = promptOf(body);
  const most = mostTokens(prompt) + FRAME_TOKENS;
  const context = endpoint.contextTokens ?? Infinity;
  const counted = meter.limits('tokens') || meter.limits('usd') || most + maxOutput > context;
  const input = counted ? (await countTokens(prompt)) + FRAME_TOKENS : most;
  const reported = Math.ceil(input * (meter.scaleOf(model)?.input ?? 1));
  const output = most + maxOutput <= context ? maxOutput : Math.min(maxOutput, context - reported);
  if (output < Math.min(LEAST_OUTPUT_TOKENS, maxOutput))
    return `the prompt of about ${reported} tokens is too long for the model, which takes ${context}`;
  if (output <= tooFew)
    return `the model spends its reply on thoughts, and beside the prompt of about ${reported} tokens its context of ${context} has no room for more`;
  return {
    model,
    input_tokens: input,
    most_input_tokens: most,
    max_output_tokens: output,
    least_output_tokens: Math.max(LEAST_OUTPUT_TOKENS, tooFew + 1),
    costOf: facts.costOf,
  };
}

/**
 * What a request used: as the server reports, else as the tokenizer counts. One that timed out or was dropped is charged
 * at the most that was set aside for it, for the server may charge for it too; it is marked as estimated. One that was refused has no
 * tokens; one that was never sent, or that a server at its limit refused (429), is no call.
 */
export async function usageOf(
  { exchange, reply }: { readonly exchange: Exchange; readonly reply: Reply | undefined },
  {
    facts,
    body,
    leave,
  }: { readonly facts: ModelFacts; readonly body: RequestBody; readonly leave: Reservation },
): Promise<Usage> {
  if ('sent' in exchange && !exchange.sent) return NO_USAGE;
  if (exchange.kind === 'status' && exchange.status === 429) return NO_USAGE;
  if (isLost(exchange, reply)) return { ...(await mostOf(leave, facts, body)), estimated_calls: 1 };
  const text = textOf(exchange, reply);
  const input = reply?.input_tokens ?? (text === undefined ? 0 : await countInput(body));
  const output = reply?.output_tokens ?? (text === undefined ? 0 : await countTokens(text));
  return { calls: 1, input_tokens: input, output_tokens: output, cost_usd: facts.costOf(input, output) };
}

type Reply = ReturnType<typeof parseCompletion>;

// Whether the server may have worked on a reply of which nothing came, or only a part.
function isLost(exchange: Exchange, reply: Reply | undefined): boolean {
  if (exchange.kind === 'fault' || exchange.kind === 'aborted') return true;
  return reply !== undefined && 'broken' in reply && reply.broken;
}

function textOf(exchange: Exchange, reply: Reply | undefined): string | undefined {
  if (exchange.kind === 'status') return exchange.error.failedReply;
  return reply !== undefined && 'texts' in reply ? reply.texts.join('\n') : undefined;
}

// Without a budget of tokens or dollars only the bytes of the prompt were looked at, which are several times its tokens.
async function mostOf(
  { most, demand }: Reservation,
  { costOf }: ModelFacts,
  body: RequestBody,
): Promise<Usage> {
  const bytes = demand.input_tokens === demand.most_input_tokens;
  const ratio = most.input_tokens / demand.input_tokens;
  const input = bytes ? Math.ceil((await countInput(body)) * ratio) : most.input_tokens;
  return {
    calls: 1,
    input_tokens: input,
    output_tokens: most.output_tokens,
    cost_usd: costOf(input, most.output_tokens),
  };
}

async function countInput(body: RequestBody): Promise<number> {
  return (await countTokens(promptOf(body))) + FRAME_TOKENS;
}

/** The text of a call that a server may count as input in its usage. */
export function promptOf({ messages, response_format }: RequestBody): string {
  const schema = response_format === undefined ? '' : JSON.stringify(response_format);
  return [...messages.map(({ content }) => content), schema].join('\n');
}
