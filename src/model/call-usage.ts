import { NO_USAGE } from '../plan/plan.js';
import type { Usage } from '../plan/schema.js';
import { LEAST_OUTPUT_TOKENS, type Demand } from './bounds.js';
import type { parseCompletion } from './completion.js';
import type { Meter } from './meter.js';
import type { ModelFacts } from './prices.js';
import type { RequestBody } from './request.js';
import { countTokens, mostTokens } from './tokens.js';
import type { Exchange } from './transport.js';

/** Role names, separators and the like, which servers count and texts do not hold. */
export const FRAME_TOKENS = 32;

/**
 * What a request may use at most; a text says why it cannot be sent at all. Tokens are counted only where a budget or
 * the context window makes them matter.
 */
export async function demandOf(
  body: RequestBody,
  { facts, maxOutputTokens }: { readonly facts: ModelFacts; readonly maxOutputTokens: number },
  meter: Meter,
): Promise<Demand | string> {
  const prompt = promptOf(body);
  const most = mostTokens(prompt) + FRAME_TOKENS;
  const context = facts.contextTokens ?? Infinity;
  const counted = meter.limits('tokens') || meter.limits('usd') || most + maxOutputTokens > context;
  const input = counted ? (await countTokens(prompt)) + FRAME_TOKENS : most;
  const output =
    most + maxOutputTokens <= context ? maxOutputTokens : Math.min(maxOutputTokens, context - input);
  if (output < Math.min(LEAST_OUTPUT_TOKENS, maxOutputTokens))
    return `the prompt of about ${input} tokens is too long for the model, which takes ${context}`;
  return {
    input_tokens: input,
    most_input_tokens: most,
    max_output_tokens: output,
    costOf: facts.costOf,
  };
}

/**
 * What a request used: as the server reports, else as the tokenizer counts. One that brought no reply has no tokens,
 * for none are made up; one that was never sent, or that a server at its limit refused (429), is no call.
 */
export async function usageOf(
  exchange: Exchange,
  reply: ReturnType<typeof parseCompletion> | undefined,
  { costOf }: ModelFacts,
  body: RequestBody,
): Promise<Usage> {
  if ('sent' in exchange && !exchange.sent) return NO_USAGE;
  if (exchange.kind === 'status' && exchange.status === 429) return NO_USAGE;
  const text = reply !== undefined && 'texts' in reply ? reply.texts.join('\n') : undefined;
  const input =
    reply?.input_tokens ?? (text === undefined ? 0 : (await countTokens(promptOf(body))) + FRAME_TOKENS);
  const output = reply?.output_tokens ?? (text === undefined ? 0 : await countTokens(text));
  return { calls: 1, input_tokens: input, output_tokens: output, cost_usd: costOf(input, output) };
}

/** All that a server may count as input. */
export function promptOf({ messages, response_format }: RequestBody): string {
  const schema = response_format === undefined ? '' : JSON.stringify(response_format);
  return [...messages.map(({ content }) => content), schema].join('\n');
}
