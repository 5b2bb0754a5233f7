import { CONTINUED } from '../../../kernel/text/fold-lines.js';

/** Lines of one value that are shown: so many where it has no more, else those of its beginning and of its end. */
const MOST_LINES = 200;
const AT_BEGINNING = 120;
const AT_END = 40;

/** Lines that a terminal does not scroll away, and how many characters of what they say were left out. */
export interface BoundedLines {
  readonly lines: readonly string[];
  readonly hidden: number;
}

/**
 * Leaves out the middle of values that would flood a terminal, and says there how much that is and how all of it is seen.
 * @param lines folded: what continues a line begins with a bar
 * @param command that shows all of it
 */
export function boundedLines(lines: readonly string[], command: string): BoundedLines {
  const kept: string[] = [];
  let hidden = 0;
  for (const value of valuesOf(lines)) {
    if (value.length <= MOST_LINES) for (const line of value) kept.push(line);
    else {
      const middle = value.slice(AT_BEGINNING, -AT_END);
      const left = middle.reduce((sum, line) => sum + contentOf(line).length, 0);
      const [first = ''] = middle;
      const indent = first.slice(0, first.indexOf(CONTINUED));
      const notice = `${indent}*** ${left} characters are not shown here; all of it: ${command}`;
      kept.push(...value.slice(0, AT_BEGINNING), notice, ...value.slice(-AT_END));
      hidden += left;
    }
  }
  return { lines: kept, hidden };
}

function contentOf(line: string): string {
  return line.trimStart().slice(CONTINUED.length);
}

/** Each line with those that continue it. */
function valuesOf(lines: readonly string[]): readonly (readonly string[])[] {
  const values: string[][] = [];
  for (const line of lines) {
    const last = values.at(-1);
    if (last !== undefined && line.trimStart().startsWith(CONTINUED)) last.push(line);
    else values.push([line]);
  }
  return values;
}
