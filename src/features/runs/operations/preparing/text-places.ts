import { PlanError } from '../../../../kernel/errors.js';

/** A place in a file as a command line names it: lines and columns from 1. */
export interface TextPlace {
  readonly file: string;
  readonly from: Position;
  readonly to: Position;
}

/** A line, and a column in it, which is left out for its beginning or its end. */
interface Position {
  readonly line: number;
  readonly column: number | undefined;
}

/** A position as editors have it: both from 0, the column in UTF-16 units. */
export interface EditorPosition {
  readonly line: number;
  readonly ch: number;
}

const RANGE = /^(.+?):(\d+)(?::(\d+))?-(\d+)(?::(\d+))?$/s;
const POINT = /^(.+?):(\d+)(?::(\d+))?$/s;

/**
 * Reads a place: `FILE:LINE[:COLUMN]-LINE[:COLUMN]` for a range, else `FILE:LINE[:COLUMN]`.
 * @throws PlanError USAGE
 */
export function parsePlace(said: string, isRange: boolean): TextPlace {
  const found = (isRange ? RANGE : POINT).exec(said);
  if (found === null)
    throw new PlanError('USAGE', `${JSON.stringify(said)} is not a place in a file`, {
      hint: {
        commandLine: isRange
          ? 'A selection is FILE:LINE-LINE, or with columns FILE:LINE:COLUMN-LINE:COLUMN.'
          : 'A cursor is FILE:LINE or FILE:LINE:COLUMN.',
      },
    });
  const [, file = '', line, column, endLine, endColumn] = found;
  const from = { line: Number(line), column: column === undefined ? undefined : Number(column) };
  if (!isRange)
    return { file, from: { ...from, column: from.column ?? 1 }, to: { ...from, column: from.column ?? 1 } };
  const to = { line: Number(endLine), column: endColumn === undefined ? undefined : Number(endColumn) };
  return { file, from, to };
}

/** Returns what stands at a place of a text, up to before its end column; null where there is no such place. */
export function selectedIn(
  text: string,
  { from, to }: TextPlace,
): {
  readonly text: string;
  readonly range: { readonly start: EditorPosition; readonly end: EditorPosition };
} | null {
  const lines = text.split('\n');
  const starts: number[] = [];
  let next = 0;
  for (const line of lines) {
    starts.push(next);
    next += line.length + 1;
  }
  const positionOf = ({ line, column }: Position, otherwise: 'begin' | 'end') => {
    const content = lines[line - 1]?.replace(/\r$/, '');
    const start = starts[line - 1];
    if (content === undefined || start === undefined) return null;
    const ch = column === undefined ? (otherwise === 'begin' ? 0 : content.length) : column - 1;
    return ch < 0 || ch > content.length ? null : { line: line - 1, ch, offset: start + ch };
  };
  const [start, end] = [positionOf(from, 'begin'), positionOf(to, 'end')];
  if (start === null || end === null || end.offset < start.offset) return null;
  return {
    text: text.slice(start.offset, end.offset),
    range: { start: { line: start.line, ch: start.ch }, end: { line: end.line, ch: end.ch } },
  };
}
