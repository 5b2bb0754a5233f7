/** A block of code or of HTML that is open, as CommonMark has it: what stands in it is text, whatever it looks like. */
export interface CodeFence {
  /** What opened it; of HTML, what ends it. */
  readonly mark: string;
  readonly kind: 'code' | 'html';
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
export function fenceMarker(line: string, content: number): string | null {
  if (columnsBefore(line) - content >= INDENTED_CODE) return null;
  const found = /^\s*(?:(`{3,})[^`]*|(~{3,})(?!~).*)$/.exec(line);
  return found?.[1] ?? found?.[2] ?? null;
}

/** What begins a comment, or another element whose text is no Markdown, and what ends it: anywhere in a line. */
const HTML_BLOCKS: readonly (readonly [RegExp, string])[] = [
  [/^<!--/, '-->'],
  [/^<pre(?:[\s>]|$)/i, '</pre>'],
  [/^<script(?:[\s>]|$)/i, '</script>'],
  [/^<style(?:[\s>]|$)/i, '</style>'],
  [/^<textarea(?:[\s>]|$)/i, '</textarea>'],
];

/**
 * What ends the HTML block that a line of a checklist opens, as a fence of code ends; null where the line ends it
 * itself.
 */
export function htmlEndMarker(line: string, content: number): string | null {
  if (columnsBefore(line) - content >= INDENTED_CODE) return null;
  const there = line.trimStart();
  if (!there.startsWith('<')) return null;
  const mark = HTML_BLOCKS.find(([opens]) => opens.test(there))?.[1];
  return mark === undefined || endsHtml(mark, there) ? null : mark;
}

function endsHtml(mark: string, line: string): boolean {
  return line.toLowerCase().includes(mark);
}

/** Whether a line is the end of a block of code or HTML. */
export function closesFence({ kind, mark, content }: CodeFence, line: string): boolean {
  if (kind === 'html') return endsHtml(mark, line);
  const there = line.trim();
  if (columnsBefore(line) - content >= INDENTED_CODE || there.length < mark.length) return false;
  return there === (mark[0] ?? '').repeat(there.length);
}

/** Whether a line ends a fence of code or another block by ending the list item that it stands in. */
export function endsWithItem({ content }: CodeFence, line: string): boolean {
  return line.trim() !== '' && columnsBefore(line) < content;
}

/** The columns before the first character of a line, by which a code fence is told; a tab counts four. */
export function columnsBefore(line: string): number {
  const space = /^[ \t]*/.exec(line)?.[0] ?? '';
  return space.replaceAll('\t', '    ').length;
}
