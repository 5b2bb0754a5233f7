import { columnsOf } from './columns.js';
import { graphemesOf } from './truncate.js';

/** Stands before what continues a line; no line of a text that is folded begins with it otherwise. */
export const CONTINUED = '│ ';

/** Text whose every character takes one column. */
const PLAIN = /^[\x20-\x7E]*$/;
/** A line has at least so much room beside its indentation, in columns. */
const LEAST_ROOM = 16;

/**
 * Breaks lines that are wider than so many columns, so that all is seen and nothing that is broken can be taken for a line
 * of its own: what continues a line begins with its indentation and a bar. A line is broken behind a line feed that JSON
 * has escaped, else behind a space where there is one, and nothing is left out or put in at a break.
 */
export function foldLines(lines: readonly string[], columns: number): readonly string[] {
  return lines.flatMap((line) => folded(line, columns));
}

function folded(line: string, columns: number): readonly string[] {
  if (widthOf(line) <= columns) return [line];
  const spaces = (/^ */.exec(line)?.[0] ?? '').slice(0, Math.max(0, columns - LEAST_ROOM));
  const before = `${spaces}${CONTINUED}`;
  const own = line.slice(spaces.length);
  const isContinued = own.startsWith(CONTINUED);
  const room = columns - spaces.length - CONTINUED.length;
  const pieces = piecesOf(isContinued ? own.slice(CONTINUED.length) : own, room);
  return pieces.map((piece, index) => `${index === 0 && !isContinued ? spaces : before}${piece}`);
}

function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += columnsOf(segment);
  return width;
}

function piecesOf(text: string, room: number): readonly string[] {
  return text.split(/(?<=\\n)(?!"?$)/).flatMap((part) => piecesOfPart(part, room));
}

function piecesOfPart(text: string, room: number): readonly string[] {
  if (PLAIN.test(text)) return piecesOfPlain(text, room);
  const pieces: string[] = [];
  let piece = '';
  let width = 0;
  /** Where the piece can be broken behind a space; 0 for nowhere. */
  let breakable = 0;
  for (const { segment } of graphemesOf(text)) {
    const own = columnsOf(segment);
    if (width + own > room && piece !== '') {
      // A space early in the line would leave most of it empty.
      const end = breakable > piece.length / 2 ? breakable : piece.length;
      pieces.push(piece.slice(0, end));
      piece = piece.slice(end);
      width = widthOf(piece);
      breakable = 0;
    }
    piece += segment;
    width += own;
    if (segment === ' ') breakable = piece.length;
  }
  return [...pieces, piece];
}

function piecesOfPlain(text: string, room: number): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > room) {
    const space = text.slice(from, from + room).lastIndexOf(' ') + 1;
    const end = from + (space > room / 2 ? space : room);
    pieces.push(text.slice(from, end));
    from = end;
  }
  return [...pieces, text.slice(from)];
}
