import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';

import type { Capabilities } from './capabilities.js';
import type { Question } from './chat-model.js';
import { strictJsonSchema } from './json-schema.js';
import { quote } from './quote.js';

/** How much of a bad reply is quoted back, in characters: about 2,000 tokens. */
const MAX_QUOTED = 8000;

/** The user message of one turn, the question's own text first. */
export interface Turn {
  readonly shortened: boolean;
  /** A reply that was no good and why; both are quoted. */
  readonly repair: { readonly reply: string; readonly errors: readonly string[] } | undefined;
  /** So many tokens of output were too few for the thoughts before a reply: with no more it is not asked again. */
  readonly tooFew?: number;
}

/** What is sent: a request of the API, with plain texts in its messages. */
export type RequestBody = Omit<ChatCompletionCreateParams, 'messages'> & {
  readonly messages: { readonly role: 'system' | 'user'; readonly content: string }[];
};

/** What the settings add to every request. */
export interface Extras {
  readonly reasoningEffort: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

const NO_EXTRAS: Extras = { reasoningEffort: undefined, body: {} };

export const FIRST_TURN: Turn = { shortened: false, repair: undefined };

/** The body of one request, with what the server does not accept left out and the schema in words where it must be. */
export function requestBody(
  question: Question<unknown>,
  turn: Turn,
  model: string,
  maxTokens: number,
  { format, outputLimit, temperature, reasoning, system: asSystem, stream }: Capabilities,
  { reasoningEffort, body: extra }: Extras = NO_EXTRAS,
): RequestBody {
  const schema = strictJsonSchema(question.schema);
  const system = format === 'json_schema' ? question.system : `${question.system}\n\n${inWords(schema)}`;
  return withExtra(extra, {
    model,
    messages: asSystem
      ? [
          { role: 'system', content: system },
          { role: 'user', content: userMessage(question, turn) },
        ]
      : [{ role: 'user', content: `${system}\n\n${userMessage(question, turn)}` }],
    ...(temperature ? { temperature: 0 } : {}),
    // Servers know other words than those of the API.
    ...((reasoning && reasoningEffort !== undefined ? { reasoning_effort: reasoningEffort } : {}) as object),
    ...(stream === 'none' ? {} : { stream: true }),
    ...(stream === 'usage' ? { stream_options: { include_usage: true } } : {}),
    ...(outputLimit === 'none' ? {} : { [outputLimit]: maxTokens }),
    ...(format === 'json_object' ? { response_format: { type: 'json_object' } } : {}),
    ...(format === 'json_schema'
      ? {
          response_format: {
            type: 'json_schema',
            json_schema: { name: question.name, strict: true, schema },
          },
        }
      : {}),
  });
}

function withExtra(extra: Extras['body'], body: RequestBody): RequestBody {
  const entries = Object.entries(extra);
  if (entries.length === 0) return body;
  const left = Object.entries(body).filter(([name]) => !Object.hasOwn(extra, name));
  return {
    ...(Object.fromEntries([...left, ...entries.filter(([, value]) => value !== null)]) as object),
    model: body.model,
    messages: body.messages,
  };
}

function userMessage({ user, shorter }: Question<unknown>, { shortened, repair }: Turn): string {
  const parts = [user, ...(shortened ? [shorter] : [])];
  return [...parts, ...(repair === undefined ? [] : [repairText(repair.reply, repair.errors)])].join('\n');
}

/** The text that a request adds to have the previous reply corrected: that reply and its errors, quoted. */
export function repairText(previous: string, errors: readonly string[]): string {
  const reply = previous.slice(0, MAX_QUOTED);
  const cut = previous.length > MAX_QUOTED ? '…' : '';
  return [
    `<previous_reply>${quote(reply)}${cut}</previous_reply>`,
    `<errors>\n${errors.map((error) => `- ${quote(error)}`).join('\n')}\n</errors>`,
    'The previous reply has these errors. Answer again with a whole JSON object in which they are corrected.',
  ].join('\n');
}

function inWords(schema: object): string {
  return `Answer with one JSON object that satisfies this JSON Schema:\n${JSON.stringify(schema)}`;
}
