import { createParser } from 'eventsource-parser';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import * as z from 'zod';

import type { Read } from './read.js';

const text = z.string().nullish().catch(undefined);
// Arguments come in pieces of a text, or from some servers as an object at once.
const calledSchema = z.looseObject({ arguments: z.unknown().optional() }).nullish().catch(undefined);
const callSchema = z.looseObject({
  index: z.int().nonnegative().max(1000).catch(0),
  function: calledSchema,
});
const deltaSchema = z.looseObject({
  content: text,
  refusal: text,
  reasoning_content: text,
  reasoning: text,
  tool_calls: z.array(callSchema).nullish().catch(undefined),
  // As calls were before there could be several.
  function_call: calledSchema,
} satisfies Read<ChatCompletionChunk.Choice.Delta, 'reasoning_content' | 'reasoning'>);
const choiceSchema = z.looseObject({
  index: z.int().catch(0),
  finish_reason: text,
  delta: deltaSchema.nullish().catch(undefined),
  // Some servers send the message as a whole at the end.
  message: z.unknown().optional(),
} satisfies Read<ChatCompletionChunk.Choice, 'message'>);
const chunkSchema = z.looseObject({
  choices: z.array(choiceSchema).catch([]),
  usage: z.unknown().optional(),
  error: z.unknown().optional(),
} satisfies Read<ChatCompletionChunk, 'error'>);
type Delta = z.infer<typeof deltaSchema>;

/** A streamed reply put together, in the form of a reply that came as a whole. */
export interface Streamed {
  /** What `parseCompletion` reads. */
  readonly completion: unknown;
  /** Whether it came to its end. */
  readonly whole: boolean;
  /** What the server sent in place of the rest, when something went wrong with it. */
  readonly error: unknown;
}

/** Where the arguments of a call of the older kind are put together. */
const OLD_CALL = 'function_call';
const TEXTS = ['content', 'refusal', 'reasoning_content', 'reasoning'] as const;

/** Whether a body is a stream of server-sent events rather than one JSON text. */
export function isStream(body: string): boolean {
  return /^[\s\uFEFF]*(?:data|event|id|retry)?:/.test(body);
}

/** Puts the chunks of a streamed reply together. What is no chunk is passed over. */
export function joinStream(body: string): Streamed {
  const texts = new Map<string, string>();
  const calls: string[] = [];
  const state: { done: boolean; finish?: string; usage?: unknown; error?: unknown; message?: unknown } = {
    done: false,
  };
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data.trim() === '[DONE]') state.done = true;
      const chunk = chunkSchema.safeParse(parseJson(data)).data;
      if (chunk === undefined) return;
      state.usage = chunk.usage ?? state.usage;
      state.error ??= chunk.error ?? undefined;
      const choice = chunk.choices.find(({ index }) => index === 0);
      if (choice === undefined) return;
      if (typeof choice.finish_reason === 'string') state.finish = choice.finish_reason;
      state.message = choice.message ?? state.message;
      if (choice.delta) addDelta(choice.delta, texts, calls);
    },
  });
  // A stream that has ended has sent its last event, with or without the empty line after it.
  parser.feed(`${body}\n\n`);
  const message = state.message ?? {
    ...Object.fromEntries(texts),
    ...(texts.has(OLD_CALL) ? { function_call: { arguments: texts.get(OLD_CALL) } } : {}),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((one) => ({ function: { arguments: one } })) }),
  };
  const choice = { finish_reason: state.finish, message };
  return {
    completion: { choices: [choice], usage: state.usage },
    whole: state.done || state.finish !== undefined,
    error: state.error,
  };
}

function addDelta(delta: Delta, texts: Map<string, string>, calls: string[]): void {
  for (const name of TEXTS) {
    const piece = delta[name];
    if (typeof piece === 'string') texts.set(name, (texts.get(name) ?? '') + piece);
  }
  for (const { index, function: called } of delta.tool_calls ?? [])
    calls[index] = (calls[index] ?? '') + argumentsText(called?.arguments);
  if (delta.function_call) {
    const piece = argumentsText(delta.function_call.arguments);
    texts.set(OLD_CALL, (texts.get(OLD_CALL) ?? '') + piece);
  }
}

function argumentsText(piece: unknown): string {
  if (piece === undefined || piece === null) return '';
  return typeof piece === 'string' ? piece : JSON.stringify(piece);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
