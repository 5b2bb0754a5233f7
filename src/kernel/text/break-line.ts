import { columnsOf } from './columns.js';
import { graphemesOf } from './truncate.js';

/** What sets colour and weight on a terminal and takes no room; to split a text at. */
// oxlint-disable-next-line no-control-regex
export const STYLING = /(\u001B\[[\d;]*m)/;
/** Chinese, Japanese and Korean. */
const UNSPACED = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF]/;

/**
 * Breaks a text on one line into lines of at most so many columns of a terminal, between words. A word that is wider
 * than a line, and text without spaces such as Chinese, is broken between what a reader sees as characters. Styling
 * (`ESC [ … m`) takes no room and is never broken.
 * @param columns at least 2, since a Chinese character takes two
 */
export function breakLine(text: string, columns: number): readonly string[] {
  const width = Math.max(2, columns);
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of text.split(' ')) {
    const size = widthToBreakAt(word);
    if (line !== '' && used + 1 + size <= width) {
      line += ` ${word}`;
      used += 1 + size;
      continue;
    }
    // Text without spaces begins where there is room.
    const room = line === '' || !UNSPACED.test(word) ? 0 : width - used - 1;
    if (room > 1) line += ' ';
    else if (line !== '') lines.push(line);
    const pieces = room <= 1 && size <= width ? [word] : broken(word, width, room > 1 ? room : width);
    if (room > 1) pieces[0] = `${line}${pieces[0] ?? ''}`;
    line = pieces.pop() ?? '';
    for (const piece of pieces) lines.push(piece);
    used = widthToBreakAt(line);
  }
  return [...lines, line];
}

/** The width of a text by which lines are wrapped: the columns of a terminal that it takes on one line. */
export function widthToBreakAt(text: string): number {
  if (/^[\x20-\x7E]*$/.test(text)) return text.length;
  let columns = 0;
  for (const [index, part] of text.split(STYLING).entries())
    if (index % 2 === 0) for (const { segment } of graphemesOf(part)) columns += columnsOf(segment);
  return columns;
}

/** A word in pieces that fit. */
function broken(word: string, width: number, first: number): string[] {
  const pieces: string[] = [];
  let room = first;
  let piece = '';
  let used = 0;
  for (const [index, part] of word.split(STYLING).entries()) {
    if (index % 2 === 1) {
      piece += part;
      continue;
    }
    for (const { segment } of graphemesOf(part)) {
      const size = columnsOf(segment);
      if (used > 0 && used + size > room) {
        pieces.push(piece);
        room = width;
        piece = '';
        used = 0;
      }
      piece += segment;
      used += size;
    }
  }
  return [...pieces, piece];
}
