/** A block of code that is open, as CommonMark has it. */
export interface CodeFence {
  /** What opened it. */
  readonly mark: string;
  /** Columns before what its list item holds; 0 at the margin. What is written farther left ends it with its item. */
  readonly content: number;
  /** Columns before it. */
  readonly indent: number;
  readonly lineNumber: number;
  /** Whether new lines of its item could come to stand inside. */
  readonly isInItem: boolean;
}

/** The fewest columns that make a line code without a fence. */
const INDENTED_CODE = 4;

/** What opens a block of code, or null: after backticks no others stand in the line. */
export function fenceMark(line: string, content: number): string | null {
  if (columnsBefore(line) - content >= INDENTED_CODE) return null;
  const found = /^\s*(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line);
  return found?.[1] ?? found?.[2] ?? null;
}

/** Whether a line is the end of a block of code. */
export function closesFence({ mark, content }: CodeFence, line: string): boolean {
  const there = line.trim();
  if (columnsBefore(line) - content >= INDENTED_CODE || there.length < mark.length) return false;
  return there === (mark[0] ?? '').repeat(there.length);
}

/** Whether a line ends a block of code by ending the list item that it stands in. */
export function endsWithItem({ content }: CodeFence, line: string): boolean {
  return line.trim() !== '' && columnsBefore(line) < content;
}

/** The columns before the first character of a line; a tab counts four. */
export function columnsBefore(line: string): number {
  const space = /^[ \t]*/.exec(line)?.[0] ?? '';
  return space.replaceAll('\t', '    ').length;
}
