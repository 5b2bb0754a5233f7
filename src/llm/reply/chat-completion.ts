import type { ChatCompletion, ChatCompletionMessage } from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import * as z from 'zod';

import { truncate } from '../../kernel/text/truncate.js';
import { readErrorBody, shorten } from '../error-text.js';
import type { Read } from './read.js';
import { endsWithObject } from './read-reply.js';
import { isStream, joinStream } from './stream.js';

/** A reply as it came, before anything is made of its text. */
export interface Completion {
  /**
   * What it says. Of a message without content, where else the reply may stand: the arguments of tool calls, then
   * thoughts. At least one text.
   */
  readonly texts: readonly [string, ...string[]];
  readonly refusal: string | undefined;
  /** The length limit ended it. */
  readonly cut: boolean;
  /** Most of what was written were thoughts, or all of it. */
  readonly thought: boolean;
  /** Tokens as the server counted them; undefined where it says nothing or nonsense. */
  readonly input_tokens: number | undefined;
  /** All that is paid for as output, thoughts included, also where the server reports these in the total alone. */
  readonly output_tokens: number | undefined;
}

/** A body with status 200 that holds no reply; the server may still have charged for it. */
export interface NoCompletion {
  readonly fault: string;
  /** It began as one and ended before its end. */
  readonly broken?: boolean;
  readonly input_tokens?: number | undefined;
  readonly output_tokens?: number | undefined;
}

// No request and no reply of this protocol comes near it.
const tokens = z.int().positive().max(1_000_000_000).optional().catch(undefined);
const part = z.union([
  z.looseObject({ text: z.string() }).transform((part) => part.text),
  z.unknown().transform(() => ''),
]);
const content = z.union([z.string(), z.array(part).transform((parts) => parts.join(''))]).catch('');
const text = z.string().optional().catch(undefined);
// Some servers give the arguments of a call as the object that they are the text of.
const called = z
  .looseObject({
    arguments: z.union([z.string(), z.looseObject({}).transform((one) => JSON.stringify(one))]),
  })
  .optional()
  .catch(undefined);
const messageSchema = z.looseObject({
  content,
  refusal: text,
  reasoning_content: text,
  reasoning: text,
  tool_calls: z
    .array(z.looseObject({ function: called }))
    .nullish()
    .catch(undefined),
  function_call: called,
} satisfies Read<ChatCompletionMessage, 'reasoning_content' | 'reasoning'>);
const usageSchema = z.looseObject({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens,
  completion_tokens_details: z.looseObject({ reasoning_tokens: tokens }).nullish().catch(undefined),
} satisfies Read<CompletionUsage>);
const choiceSchema = z.looseObject({
  finish_reason: text,
  message: messageSchema,
} satisfies Read<ChatCompletion.Choice>);
const completionSchema = z.looseObject({
  choices: z.array(choiceSchema),
  usage: usageSchema.optional().catch(undefined),
} satisfies Read<ChatCompletion>);

type Message = z.infer<typeof messageSchema>;
type ReportedUsage = z.infer<typeof completionSchema>['usage'];

/**
 * Reads the body of a chat completion, in one piece or as a stream; a reply without text is a fault unless it was
 * refused or cut off.
 * @param scrub takes out what nobody may see; a body was scrubbed before, but its pieces put together were not
 */
export function parseCompletion(
  body: string,
  scrub: (text: string) => string = (text) => text,
): Completion | NoCompletion {
  if (isStream(body)) {
    const { completion: joined, whole, error } = joinStream(body);
    const completion: unknown = JSON.parse(scrub(JSON.stringify(joined)));
    const read = readCompletion(completion, body);
    if (error !== undefined) return brokenOff(read, `the stream broke off: ${shorten(messageIn(error))}`);
    return whole ? read : brokenOff(read, 'a reply that broke off');
  }
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    const broken = body.trimStart().startsWith('{');
    return { fault: `a reply that is not JSON: ${truncate(shorten(body), 80)}`, broken };
  }
  return readCompletion(json, body);
}

function brokenOff({ input_tokens, output_tokens }: Completion | NoCompletion, fault: string): NoCompletion {
  return { fault, broken: output_tokens === undefined, input_tokens, output_tokens };
}

function messageIn(error: unknown): string {
  return readErrorBody(JSON.stringify({ error })).message;
}

function readCompletion(json: unknown, body: string): Completion | NoCompletion {
  const parsed = completionSchema.safeParse(json);
  if (!parsed.success) return { fault: `a reply that is not a chat completion: ${shorten(body)}` };
  const { choices, usage } = parsed.data;
  const counts = { input_tokens: usage?.prompt_tokens, output_tokens: outputTokens(usage) };
  const choice = choices[0];
  if (choice === undefined) return { fault: 'a reply with no choices', ...counts };
  const { message, finish_reason } = choice;
  if (finish_reason === 'error') return { fault: 'the server broke the reply off', ...counts };
  const filtered = finish_reason === 'content_filter' ? 'the server filtered the reply' : undefined;
  const refusal = message.refusal === '' ? filtered : (message.refusal ?? filtered);
  const cut = finish_reason === 'length';
  const [first, ...others] =
    message.content.trim() === '' && !cut ? textsElsewhere(message) : [message.content];
  if (first === undefined && refusal === undefined) return { fault: 'an empty reply', ...counts };
  const thought = isMostlyThought(message, usage);
  return { texts: [first ?? '', ...others], refusal, cut, thought, ...counts };
}

/** A reply without text that cost more tokens than these was written as thoughts that are not shown. */
const UNSEEN_TOKENS = 64;

function isMostlyThought({ content, reasoning_content, reasoning }: Message, usage: ReportedUsage): boolean {
  const output = outputTokens(usage) ?? 0;
  const thoughts = usage?.completion_tokens_details?.reasoning_tokens ?? 0;
  if (thoughts > 0 && thoughts * 2 >= output) return true;
  const opened = /^\s*<(think|thinking|reasoning)>/i.exec(content)?.[1];
  if (opened !== undefined && !content.toLowerCase().includes(`</${opened.toLowerCase()}>`)) return true;
  const told = [reasoning_content, reasoning].some((one) => (one ?? '').trim() !== '');
  return content.trim() === '' && (told || output > UNSEEN_TOKENS);
}

/** Thoughts are paid for as output, and some servers count them in the total and nowhere else. */
function outputTokens(usage: ReportedUsage): number | undefined {
  const { prompt_tokens: input = 0, completion_tokens: said, total_tokens: total = 0 } = usage ?? {};
  const beside = input === 0 ? 0 : total - input;
  return beside > 0 ? Math.max(said ?? 0, beside) : said;
}

function textsElsewhere({ tool_calls, function_call, reasoning_content, reasoning }: Message): string[] {
  const calls = [...(tool_calls ?? []).map((call) => call.function), function_call];
  const thoughts = [reasoning_content, reasoning].filter((one) => one !== undefined && endsWithObject(one));
  return [...calls.map((call) => call?.arguments), ...thoughts].filter((one) => one !== undefined);
}
