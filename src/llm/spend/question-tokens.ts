import { ALL_CAPABILITIES } from '../capabilities.js';
import type { Question } from '../chat-model.js';
import { FRAME_TOKENS, promptOf } from './call-usage.js';
import { FIRST_TURN, requestBody } from '../request.js';
import { countTokens } from './tokens.js';

/** Input tokens of a question as it is sent first, counted as a budget counts them. */
export async function questionTokens<T>({ check: _check, ...question }: Question<T>): Promise<number> {
  const body = requestBody(question, FIRST_TURN, '', 0, ALL_CAPABILITIES);
  return (await countTokens(promptOf(body))) + FRAME_TOKENS;
}
