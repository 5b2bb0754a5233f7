import { columnsOfUnit, legibleLine, widestColumns } from './legible.js';

/** Stands before what continues a line; no line of a text that is folded begins with it otherwise. */
export const CONTINUED = '│ ';

/** A line has at least so much room beside its indentation, in columns. */
const LEAST_ROOM = 16;
const MARK = /^\p{M}/u;

/** A part of a line, or one with what styles it for a terminal. */
export type LinePart = string | { readonly text: string; readonly paint: (text: string) => string };

/**
 * Makes every line that is shown to somebody who agrees to it or trusts it, or that says what went wrong. Each begins with
 * words of ours. Whatever is not plainly printable is escaped, and what is wider than so many columns, on the terminal that
 * counts the most, is broken: what continues a line begins with its indentation and a bar. So all is seen, and no value
 * makes a line or is where one begins. A line is broken behind a line feed that is escaped, else behind a space where there
 * is one, and nothing is left out or put in at a break.
 * @param columns `Infinity` for lines that are not broken
 */
export function foldLines(lines: readonly string[], columns: number): readonly string[] {
  return lines.flatMap((line) => foldLine([line], columns));
}

/** Makes the lines of one line, as {@link foldLines} does, of parts that may be styled. @param mark other than the bar */
export function foldLine(parts: readonly LinePart[], columns: number, mark = CONTINUED): readonly string[] {
  const legible = parts.map((part) =>
    typeof part === 'string'
      ? { text: legibleLine(part), paint: null }
      : { text: legibleLine(part.text), paint: part.paint },
  );
  const line = legible.map(({ text }) => text).join('');
  const { first, before, pieces } = piecesOfLine(line, columns, mark);
  let start = line.length - pieces.reduce((length, piece) => length + piece.length, 0);
  return pieces.map((piece, index) => {
    const from = start;
    start += piece.length;
    return `${index === 0 ? first : before}${painted(legible, from, start)}`;
  });
}

interface Pieces {
  /** What stands before the first piece, and what before each other. */
  readonly first: string;
  readonly before: string;
  /** The end of the line, in pieces that fit. */
  readonly pieces: readonly string[];
}

function piecesOfLine(line: string, columns: number, mark: string): Pieces {
  if (widestColumns(line) <= columns) return { first: '', before: '', pieces: [line] };
  const spaces = (/^ */.exec(line)?.[0] ?? '').slice(0, Math.max(0, columns - LEAST_ROOM));
  const before = `${spaces}${mark}`;
  const isContinued = line.startsWith(before);
  const own = line.slice((isContinued ? before : spaces).length);
  const pieces = piecesOf(own, columns - spaces.length - widestColumns(mark));
  return { first: isContinued ? before : spaces, before, pieces };
}

/** A stretch of a line, with its styles. */
function painted(
  parts: readonly { readonly text: string; readonly paint: ((text: string) => string) | null }[],
  from: number,
  to: number,
): string {
  let at = 0;
  let all = '';
  for (const { text, paint } of parts) {
    const own = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    all += paint === null || own === '' ? own : paint(own);
    at += text.length;
  }
  return all;
}

function piecesOf(text: string, room: number): readonly string[] {
  return text.split(/(?<=\\n)(?!"?$)/).flatMap((part) => {
    const pieces: string[] = [];
    let from = 0;
    do {
      const end = endOfPiece(part, from, room);
      pieces.push(part.slice(from, end));
      from = end;
    } while (from < part.length);
    return pieces;
  });
}

/** Where a piece ends that begins there. It has one character at least. */
function endOfPiece(text: string, from: number, room: number): number {
  let end = from;
  let afterSpace = from;
  for (let columns = 0; end < text.length;) {
    const next = end + lengthAt(text, end);
    columns += next === end + 1 ? columnsOfUnit(text.charCodeAt(end)) : 2;
    if (columns > room && end > from) break;
    if (text[end] === ' ') afterSpace = next;
    end = next;
  }
  if (end === text.length) return end;
  // A space early in the line would leave most of it empty.
  if (afterSpace - from > (end - from) / 2) return afterSpace;
  return beforeMarks(text, from, end);
}

/** The end of a piece with a letter and its marks left together. */
function beforeMarks(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && MARK.test(text.slice(at, at + 2)))
    at -= lengthAt(text, Math.max(0, at - 2)) === 2 ? 2 : 1;
  return at <= from ? end : at;
}

/** UTF-16 units of the character that begins there. */
function lengthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
