import { columnsOf } from './columns.js';
import { graphemesOf } from './truncate.js';

/**
 * Breaks a text on one line into lines of at most so many columns of a terminal, between words. A word that is wider
 * than a line, and text without spaces such as Chinese, is broken between what a reader sees as characters.
 * @param columns at least 2, since a Chinese character takes two
 */
export function wrap(text: string, columns: number): readonly string[] {
  const width = Math.max(2, columns);
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of text.split(' ')) {
    const size = columnsIn(word);
    if (line !== '' && used + 1 + size <= width) {
      line += ` ${word}`;
      used += 1 + size;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = size <= width ? [word] : broken(word, width);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
    used = columnsIn(line);
  }
  return [...lines, line];
}

/** A word in pieces that fit. */
function broken(word: string, width: number): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const { segment } of graphemesOf(word)) {
    const size = columnsOf(segment);
    if (piece !== '' && used + size > width) {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += segment;
    used += size;
  }
  return [...pieces, piece];
}

function columnsIn(text: string): number {
  if (/^[\x20-\x7E]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemesOf(text)) columns += columnsOf(segment);
  return columns;
}
