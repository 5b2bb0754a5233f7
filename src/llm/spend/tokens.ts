// A run of one kind of character is one word to the tokenizer, whose time grows with the square of a word.
const LONG_RUN = /[\p{L}\p{M}]{64}|[^\s\p{L}\p{M}\p{N}]{64}|\s{64}/gu;
const PIECE = 65_536;

/**
 * Tokens of `text` in OpenAI's o200k_base encoding, special tokens counted as the text they are. Loads the
 * tokenizer at its first call. Runs of more than 64 letters, marks or blanks are counted in parts: a little
 * too high, never too low, and in time that grows with the length alone.
 */
export async function countTokens(text: string): Promise<number> {
  const count = await tokenizer();
  let tokens = 0;
  for (let start = 0; start < text.length; start += PIECE) {
    for (const part of parts(text.slice(start, start + PIECE))) tokens += count(part);
    if (start > 0) await new Promise(setImmediate);
  }
  return tokens;
}

/** What no tokenizer that works on bytes can exceed: the length of `text` in UTF-8. */
export function mostTokens(text: string): number {
  return Buffer.byteLength(text);
}

/** Whether `text` has more than `limit` tokens; does not load the tokenizer when its bytes already fit. */
export async function exceedsTokens(text: string, limit: number): Promise<boolean> {
  return mostTokens(text) > limit && (await countTokens(text)) > limit;
}

let loading: Promise<(text: string) => number> | undefined;

function tokenizer(): Promise<(text: string) => number> {
  loading ??= import('./tokenizer.js').then(({ countTokensOfPart }) => countTokensOfPart);
  return loading;
}

function parts(text: string): readonly string[] {
  const ends = [...text.matchAll(LONG_RUN)].map((match) => match.index + match[0].length);
  return [0, ...ends].map((start, index) => text.slice(start, ends[index] ?? text.length));
}
