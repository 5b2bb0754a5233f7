import { readFileSync } from 'node:fs';

import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

import { readRankTable } from './rank-table.js';

/** Pieces of text that are more than one token, whose counts are remembered. */
const MOST_REMEMBERED = 20_000;

/**
 * The ranks of OpenAI's o200k_base encoding. The build makes this file of what gpt-tokenizer has as a list, of which every
 * process that counts would have to make 200,000 strings. The path is the same from the sources and from what is built.
 */
const RANKS = new URL('../../../dist/llm/spend/o200k_base.ranks', import.meta.url);

const { rankOf } = readRankTable(readFileSync(RANKS));

const remembered = new Map<string, number>();

/**
 * Counts the tokens of a part of a text in OpenAI's o200k_base encoding, special tokens as the text they are. Takes time
 * that grows with the square of the longest word.
 */
export function countTokensOfPart(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(O200K_TOKEN_SPLIT_REGEX)) tokens += tokensOfPiece(piece);
  return tokens;
}

function tokensOfPiece(piece: string): number {
  const known = remembered.get(piece);
  if (known !== undefined) return known;
  const bytes = Buffer.from(piece);
  if (rankOf(bytes, 0, bytes.length) !== Infinity) return 1;
  const tokens = mergedTokens(bytes);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(piece, tokens);
  return tokens;
}

/** How many tokens are left of so many bytes when again and again the two neighbours of the lowest rank are made one. */
function mergedTokens(bytes: Uint8Array): number {
  const ends = Array.from(bytes, (_byte, index) => index + 1);
  // The rank of what each and the one after it would be together.
  const startOf = (index: number): number => (index === 0 ? 0 : (ends[index - 1] ?? 0));
  const together = (index: number): number => {
    const end = ends[index + 1];
    return end === undefined ? Infinity : rankOf(bytes, startOf(index), end);
  };
  const ranks = ends.map((_end, index) => together(index));
  for (;;) {
    let lowest = 0;
    for (let index = 1; index < ranks.length; index += 1)
      if ((ranks[index] ?? Infinity) < (ranks[lowest] ?? Infinity)) lowest = index;
    if ((ranks[lowest] ?? Infinity) === Infinity) return ends.length;
    ends.splice(lowest, 1);
    ranks.splice(lowest + 1, 1);
    ranks[lowest] = together(lowest);
    if (lowest > 0) ranks[lowest - 1] = together(lowest - 1);
  }
}
