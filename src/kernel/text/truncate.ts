import { columnsOf } from './columns.js';

/** Text whose every character takes one column; it needs no looking at character by character. */
const PLAIN = /^[\x20-\x7E]*$/;
const ELLIPSIS = '…';

/**
 * Truncates a text on one line to so many columns of a terminal, with an ellipsis where something was cut.
 * Nothing is cut in the middle of what a reader sees as one character: a surrogate pair, a letter with its
 * accents, an emoji with its modifiers. Chinese, Japanese and Korean letters and emoji take two columns.
 */
export function truncate(text: string, columns: number): string {
  if (PLAIN.test(text)) {
    return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}${ELLIPSIS}`;
  }
  const kept: string[] = [];
  let used = 0;
  for (const { segment } of graphemes(text, columns)) {
    used += columnsOf(segment);
    if (used > columns) return `${withinColumns(kept, columns - 1)}${ELLIPSIS}`;
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

/** Splits a text where it may be truncated: into the parts that a reader sees as one character each. */
export function graphemesOf(text: string): Iterable<{ readonly segment: string }> {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

// A segment is looked for in all that it is given; of a text of megabytes only the beginning can be needed.
function graphemes(text: string, columns: number): Iterable<{ readonly segment: string }> {
  return graphemesOf(text.length > 64 * (columns + 16) ? text.slice(0, 64 * (columns + 16)) : text);
}
