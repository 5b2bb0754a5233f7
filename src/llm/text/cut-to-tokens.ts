import { countTokens, mostTokens } from '../spend/tokens.js';

/** What a token of most texts has; more is counted only when that was too few. */
const USUAL_CHARACTERS = 4.5;
/** A token is seldom longer than this; what is beyond need not be counted. */
const MOST_CHARACTERS = 12;

/** Tokens of a text, roughly, without the tokenizer: bytes tell scripts apart that characters do not. */
export function estimateTokens(text: string): number {
  return Math.ceil(mostTokens(text) / 3.5);
}

/** Whether a text has at most so many tokens. Takes time that grows with the limit, not with the text. */
export async function fitsTokens(text: string, limit: number): Promise<boolean> {
  if (mostTokens(text) <= limit) return true;
  if (text.length > limit * MOST_CHARACTERS) return false;
  const usual = Math.ceil(limit * USUAL_CHARACTERS);
  if (text.length > usual && (await countTokens(text.slice(0, usual))) > limit + 1) return false;
  return (await countTokens(text)) <= limit;
}

/**
 * The longest beginning, nearly, of a text that has at most so many tokens, marked with an ellipsis when it is
 * cut. Takes time that grows with the limit, not with the text.
 */
export async function cutToTokens(text: string, limit: number): Promise<string> {
  if (limit <= 0) return '';
  if (await fitsTokens(text, limit)) return text;
  let kept = await promisingBeginning(text, limit);
  // The ellipsis needs a token too.
  for (let room = limit - 1; kept !== ''; room = Math.floor(room * 0.98)) {
    kept = kept.replace(/[\uD800-\uDBFF]$/, '');
    const tokens = await countTokens(`${kept}…`);
    if (tokens <= limit) return `${kept}…`;
    kept = kept.slice(0, Math.min(kept.length - 1, Math.floor((kept.length * room) / tokens)));
  }
  return '';
}

/** A beginning that has about as many tokens as may be kept: more when a usual one has far too few. */
async function promisingBeginning(text: string, limit: number): Promise<string> {
  const usual = text.slice(0, Math.ceil(limit * USUAL_CHARACTERS));
  const tokens = await countTokens(usual);
  if (tokens >= limit * 0.9) return usual;
  return text.slice(
    0,
    Math.min(limit * MOST_CHARACTERS, Math.ceil((usual.length * limit) / Math.max(1, tokens))),
  );
}
