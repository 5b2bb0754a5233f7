/**
 * What must not reach a terminal or another reader as it is: control characters (a line feed excepted),
 * the characters that reorder or hide text (bidirectional overrides and isolates, interlinear
 * annotations, tags), lone halves of surrogate pairs, and code points that are no characters.
 * Joiners and direction marks stay: scripts and emoji need them.
 */
const UNSAFE =
  /(?!\n)[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u202A-\u202E\u2066-\u2069\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** Most text; it needs no looking at character by character. */
const PLAIN = /^[\n\x20-\x7E]*$/;

/** Most lines: words with a space between. */
const PLAIN_LINE = /^(?:[\x21-\x7E]+(?: [\x21-\x7E]+)*)?$/;

const LINE_BREAK = /\r\n?|[\u0085\u2028\u2029]/g;

/**
 * The text made safe to print, with everything unsafe made visible: C0 controls and DEL as their Control Pictures
 * (`␛`), the rest as `�`. Line breaks of any kind become "\n" and a tab a space. What it returns it leaves alone.
 */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(LINE_BREAK, '\n').replaceAll('\t', ' ').replaceAll(UNSAFE, picture);
}

/**
 * Makes a text safe to print on one line: like `printable`, but each run of white space is one space, and there is
 * none at either end.
 */
export function oneLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  return printable(text).replaceAll(/\s+/g, ' ').trim();
}

/** What JSON allows in a string but a terminal, a JavaScript source or a reader's eye takes for more. */
const UNSAFE_IN_JSON = /[\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g;

/**
 * The text of JSON made safe to print, with every control and bidirectional character as `\uXXXX`. Parsing it gives
 * the same.
 */
export function printableJson(text: string): string {
  return text.replaceAll(
    UNSAFE_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What nobody sees. Joiners and what chooses the look of an emoji stay: scripts and emoji need them. */
const UNSEEN_IN_JSON =
  /(?!\u200C|\u200D|\uFE0E|\uFE0F)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** The text of JSON on one line with whatever is not seen as `\uXXXX`. Parsing it gives the same. */
export function legibleJson(text: string): string {
  return text.replaceAll(UNSEEN_IN_JSON, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

function picture(unsafe: string): string {
  const code = unsafe.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\uFFFD';
}
