/**
 * What is not plainly printable: all but letters, numbers, punctuation, symbols and the space, and of those what nobody
 * sees. Marks are looked at with the letter before them.
 */
const ILLEGIBLE = String.raw`(?:[^\p{L}\p{N}\p{P}\p{S} ]|[\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{1D159}])`;
const IN_LINE = new RegExp(`${ILLEGIBLE}+`, 'gu');
/** Where a backslash could be taken for one of ours, too. */
const IN_VALUE = new RegExp(String.raw`\\(?=[\\nrtu]|${ILLEGIBLE}|$)|${ILLEGIBLE}+`, 'gu');
const IN_JSON = new RegExp(String.raw`(?:(?![\n\t])${ILLEGIBLE})+`, 'gu');

/** Most text; it needs no looking at character by character. */
const PLAIN_LINE = /^[\x20-\x7E]*$/;
const PLAIN_VALUE = /^(?:[!-[\]-~](?:[ -[\]-~]*[!-[\]-~])?)?$/;
const PLAIN_JSON = /^[\n\x20-\x7E]*$/;

/** Scripts that are not written without marks. */
const MARKED_SCRIPTS =
  'Arab Beng Deva Gujr Guru Hebr Java Khmr Knda Laoo Mlym Mymr Orya Sinh Syrc Taml Telu Thaa Thai Tibt';
const OF_ONE_SCRIPT = new RegExp(
  `^(?:${MARKED_SCRIPTS.replaceAll(/\w+/g, String.raw`\p{scx=$&}+`).replaceAll(' ', '|')})$`,
  'u',
);
/** What strikes out, encloses or piles up on letters of any script. */
const OF_ANY_SCRIPT =
  /[\p{Me}\p{Default_Ignorable_Code_Point}\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]/u;
const MARKS = /^\p{M}+/u;
/** UTF-16 units; no letter has more marks. */
const MOST_MARKS = 4;

/** How UTF-16 units are escaped; those that were once are found here again. */
const ESCAPES = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/**
 * A text on one line with every character escaped that is not plainly printable (`\n`, `\u200b`), so that what somebody is
 * to agree to holds nothing that he does not see: controls, what reorders or hides text, spaces that look like others or
 * stand at an end, marks but those of scripts that need them, and what has no meaning yet. No two texts give the same.
 */
export function legible(text: string): string {
  if (PLAIN_VALUE.test(text)) return text;
  let [start, end] = [0, text.length];
  while (text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  const inner = text.slice(start, end);
  return `${spaces(start)}${inner.replaceAll(IN_VALUE, escapedIn(inner))}${spaces(text.length - end)}`;
}

/** A line of ours with values in it, escaped like {@link legible} but for backslashes and for spaces at its ends. */
export function legibleLine(line: string): string {
  return PLAIN_LINE.test(line) ? line : line.replaceAll(IN_LINE, escapedIn(line));
}

/** The text of JSON, on one line or several, escaped like {@link legible}. Parsing it gives the same. */
export function legibleJson(json: string): string {
  if (PLAIN_JSON.test(json)) return json;
  // Between values only; in a text JSON has it escaped.
  const lines = json.replaceAll(/\r\n?/g, '\n');
  return lines.replaceAll(IN_JSON, escapedIn(lines));
}

/**
 * The most columns that any terminal gives a legible text: two for each character beyond ASCII, whether it is wide, of
 * ambiguous width, a mark, or joins others.
 */
export function widestColumns(text: string): number {
  if (PLAIN_LINE.test(text)) return text.length;
  let columns = 0;
  for (let at = 0; at < text.length; at += 1) columns += columnsOfUnit(text.charCodeAt(at));
  return columns;
}

/** Columns of a UTF-16 unit, as {@link widestColumns} counts them: of a surrogate pair each half has one. */
export function columnsOfUnit(unit: number): number {
  return unit < 0x80 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
}

function escapedIn(text: string): (found: string, at: number) => string {
  return (found, at) => {
    const marks = MARKS.exec(found)?.[0];
    if (marks === undefined || !isReadable(marks, text.slice(Math.max(0, at - 2), at))) return escaped(found);
    return marks + escaped(found.slice(marks.length));
  };
}

/** Whether marks are those of the letter before them. */
function isReadable(marks: string, before: string): boolean {
  if (marks.length > MOST_MARKS) return false;
  const letter = /\p{L}$/u.exec(before)?.[0];
  return letter !== undefined && !OF_ANY_SCRIPT.test(marks) && OF_ONE_SCRIPT.test(`${letter}${marks}`);
}

function escaped(text: string): string {
  let all = '';
  for (let at = 0; at < text.length; at += 1) {
    all += escapeOf(text[at] ?? '');
  }
  return all;
}

function escapeOf(unit: string): string {
  const known = ESCAPES.get(unit);
  if (known !== undefined) return known;
  const made = `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  ESCAPES.set(unit, made);
  return made;
}

function spaces(count: number): string {
  return '\\u0020'.repeat(count);
}
