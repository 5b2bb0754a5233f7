import * as z from 'zod';

import { shorten } from './error-text.js';

/** A reply as it came, before anything is made of its text. */
export interface Completion {
  readonly text: string;
  readonly refusal: string | undefined;
  /** The length limit ended it. */
  readonly cut: boolean;
  /** Tokens as the server counted them; undefined where it says nothing or nonsense. */
  readonly input_tokens: number | undefined;
  readonly output_tokens: number | undefined;
}

/** A body with status 200 that holds no reply; the server may still have charged for it. */
export interface NoCompletion {
  readonly fault: string;
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
const completionSchema = z.looseObject({
  choices: z.array(
    z.looseObject({ finish_reason: text, message: z.looseObject({ content, refusal: text }) }),
  ),
  usage: z.looseObject({ prompt_tokens: tokens, completion_tokens: tokens }).optional().catch(undefined),
});

/** Reads the body of a chat completion; a reply without text is a fault unless it was refused or cut off. */
export function parseCompletion(body: string): Completion | NoCompletion {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return { fault: `a reply that is not JSON: ${shorten(body).slice(0, 80)}` };
  }
  const parsed = completionSchema.safeParse(json);
  if (!parsed.success) return { fault: `a reply that is no chat completion: ${shorten(body)}` };
  const { choices, usage } = parsed.data;
  const counts = { input_tokens: usage?.prompt_tokens, output_tokens: usage?.completion_tokens };
  const choice = choices[0];
  if (choice === undefined) return { fault: 'a reply with no choices', ...counts };
  const { message, finish_reason } = choice;
  const filtered = finish_reason === 'content_filter' ? 'the server filtered the reply' : undefined;
  const refusal = message.refusal === '' ? filtered : (message.refusal ?? filtered);
  const cut = finish_reason === 'length';
  if (message.content.trim() === '' && refusal === undefined && !cut)
    return { fault: 'an empty reply', ...counts };
  return { text: message.content, refusal, cut, ...counts };
}
