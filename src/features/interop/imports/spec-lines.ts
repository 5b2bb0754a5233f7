import { withoutHtmlComments } from '../../../kernel/text/html-comments.js';

/** A line of a Markdown document outside fences and comments. */
export interface SpecLine {
  /** The level of a heading; 0 for any other line. */
  readonly level: number;
  /** Without the marks of a heading. */
  readonly text: string;
}

/** The lines of a Markdown document that are no code and no comment. */
export function specLines(markdown: string): readonly SpecLine[] {
  const lines: SpecLine[] = [];
  let fence: string | null = null;
  for (const line of withoutHtmlComments(markdown).split(/\r?\n/)) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
      continue;
    }
    if (fence !== null) continue;
    const [, marks = '', heading = ''] = /^(#{1,6})\s+(?!\s)(.*)$/.exec(line) ?? [];
    lines.push(
      marks === ''
        ? { level: 0, text: line }
        : { level: marks.length, text: heading.replace(/(?<!#)#+$/, '').trimEnd() },
    );
  }
  return lines;
}

/**
 * Reads a line of a specification as a task with a box: whether it is ticked, and what it says; null for any other
 * line.
 */
export function taskOf(text: string): { readonly done: boolean; readonly text: string } | null {
  const [, tick = ' ', task = ''] = /^\s*[-*]\s+\[([ xX])\]\s+(\S.*)$/.exec(text) ?? [];
  return task.trim() === '' ? null : { done: tick !== ' ', text: task.trim() };
}

/**
 * The lines of a specification under a heading, up to the next of its level or above; empty when there is none.
 */
export function linesUnder(lines: readonly SpecLine[], heading: RegExp): readonly SpecLine[] {
  const at = lines.findIndex(({ level, text }) => level > 0 && heading.test(text));
  if (at < 0) return [];
  const own = lines[at]?.level ?? 0;
  const rest = lines.slice(at + 1);
  const end = rest.findIndex(({ level }) => level > 0 && level <= own);
  return end < 0 ? rest : rest.slice(0, end);
}

/** Lines as a text, without empty lines around it. */
export function linesAsText(lines: readonly SpecLine[]): string {
  return lines
    .map(({ level, text }) => (level === 0 ? text : `${'#'.repeat(level)} ${text}`))
    .join('\n')
    .trim();
}
