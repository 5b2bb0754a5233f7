import { eastAsianWidth } from 'get-east-asian-width';

const JAMO = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/;

/**
 * Columns of a terminal that a grapheme takes: 2 for emoji and for what is wide in Chinese, Japanese and Korean, 0 for
 * what is not seen. What the package `string-width` makes of it, which takes as long to load as a short command runs.
 */
export function columnsOf(grapheme: string): number {
  // The letters of a Korean syllable, which are in one block, become one character.
  const composed = JAMO.test(grapheme) ? grapheme.normalize('NFC') : grapheme;
  const [first, ...others] = Array.from(composed).filter(isVisible);
  if (first === undefined) return 0;
  if (isEmoji(grapheme)) return 2;
  const isJamo = JAMO.test(first);
  return others
    .filter((character) => isJamo || takesItsOwn(character))
    .reduce((columns, character) => columns + widthOf(character), widthOf(first));
}

function widthOf(character: string): number {
  return eastAsianWidth(character.codePointAt(0) ?? 0);
}

function isVisible(character: string): boolean {
  return !/[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Surrogate}]/u.test(
    character,
  );
}

function isEmoji(grapheme: string): boolean {
  return (
    /\p{RI}{2}|(?!\p{RI})\p{Emoji_Presentation}|\p{Emoji}\ufe0f|^[\d#*]\u20e3/u.test(grapheme) ||
    joinsPictures(grapheme)
  );
}

/** Whether a joiner is between two pictures. Looked for in steps: a grapheme can be of a million joiners. */
function joinsPictures(grapheme: string): boolean {
  const first = grapheme.search(/\p{Extended_Pictographic}/u);
  const joiner = first === -1 ? -1 : grapheme.indexOf('\u200d', first);
  return joiner !== -1 && /\p{Extended_Pictographic}/u.test(grapheme.slice(joiner));
}

/** Whether a character after the first takes columns of its own. */
function takesItsOwn(character: string): boolean {
  return /[\p{Spacing_Mark}\uff00-\uffef]/u.test(character);
}
