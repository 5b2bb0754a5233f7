import { columnsOf } from './columns.js';

/** Text whose every character takes one column; it needs no looking at character by character. */
const PLAIN = /^[\x20-\x7E]*$/;
const ELLIPSIS = '…';

/**
 * UTF-16 units kept for each column, on average over the text. What takes no column, such as combining marks and joiners, would
 * otherwise be kept without end. The longest emoji has 15 units and 2 columns, a Devanagari cluster of consonants 9 and 1.
 */
const UNITS_PER_COLUMN = 16;

/**
 * Truncates a text on one line to so many columns of a terminal, and to 16 UTF-16 units for each of them, with an ellipsis
 * where something was cut. Text in any script takes fewer units than that: only a text of marks that take no column is cut by them.
 * Nothing is cut in the middle of what a reader sees as one character: a surrogate pair, a letter with its
 * accents, an emoji with its modifiers. Chinese, Japanese and Korean letters and emoji take two columns.
 */
export function truncate(text: string, columns: number): string {
  if (PLAIN.test(text)) {
    return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}${ELLIPSIS}`;
  }
  const units = UNITS_PER_COLUMN * Math.max(1, columns);
  // A segment is looked for in all that it is given; of a text of megabytes only the beginning can be needed.
  const beginning = text.length > units ? text.slice(0, units + 1) : text;
  const kept: string[] = [];
  let used = 0;
  let end = 0;
  for (const { segment } of graphemesOf(beginning)) {
    used += columnsOf(segment);
    end += segment.length;
    if (used > columns || end > units) return `${withinColumns(kept, columns - 1)}${ELLIPSIS}`;
    kept.push(segment);
  }
  return text;
}

/** As many of the graphemes as fit. */
function withinColumns(kept: readonly string[], columns: number): string {
  let text = '';
  let used = 0;
  for (const segment of kept) {
    used += columnsOf(segment);
    if (used > columns) break;
    text += segment;
  }
  return text;
}

let segmenter: Intl.Segmenter | undefined;

/** UTF-16 units that are split at once: what `Intl.Segmenter` takes for a step grows with the text that it is given. */
const STRETCH = 1000;

/** Splits a text where it may be truncated: into the parts that a reader sees as one character each. */
export function graphemesOf(text: string): Iterable<{ readonly segment: string }> {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return text.length <= STRETCH ? segmenter.segment(text) : inStretches(text, segmenter);
}

function* inStretches(text: string, segments: Intl.Segmenter): Iterable<{ readonly segment: string }> {
  let size = STRETCH;
  for (let start = 0; start < text.length;) {
    const isLast = start + size >= text.length;
    const end = isLast ? text.length : start + size - (isHighSurrogate(text, start + size - 1) ? 1 : 0);
    const found = [...segments.segment(text.slice(start, end))];
    // What ends with the stretch may go on behind it.
    const last = isLast ? undefined : found.pop();
    yield* found;
    if (last === undefined) return;
    start += last.index;
    size = last.index === 0 ? 2 * size : STRETCH;
  }
}

function isHighSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc_00) === 0xd8_00;
}
