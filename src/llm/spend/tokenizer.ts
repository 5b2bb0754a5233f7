import { countTokens as count } from 'gpt-tokenizer/encoding/o200k_base';

/**
 * Counts the tokens of a part of a text with the tokenizer of OpenAI's o200k_base encoding, special tokens as the
 * text they are.
 *
 * The tokenizer and its table are in a file of their own, since few commands load them. The build puts this one
 * encoding into the package; all encodings of gpt-tokenizer would take 30 MB.
 */
export function countTokensOfPart(text: string): number {
  return count(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() });
}
