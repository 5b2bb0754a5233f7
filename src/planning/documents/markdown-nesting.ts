import { tooDeep } from './markdown-blocks.js';

/** Deeper than anybody writes by hand; below it the parser needs no more than a few milliseconds a line. */
const MAX_NESTING = 100;

const MARKER = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))/y;
const THEMATIC_BREAK = /^[ \t]*([-*])(?:[ \t]*\1)+[ \t]*$/;

/**
 * Refuses a document whose lists and quotes nest more than a hundred deep, before the parser sees it: its time and its
 * stack grow with the depth. Counts from above: markers inside a code block count too. Throws INVALID_INPUT.
 */
export function checkNesting(text: string, file: string): void {
  const columns: number[] = [];
  let line = 0;
  for (const content of text.split(/\r\n|\n|\r/)) {
    line += 1;
    let quotes = 0;
    for (const marker of markersOf(content)) {
      if (marker.quote) quotes += 1;
      else {
        while ((columns.at(-1) ?? -1) >= marker.column) columns.pop();
        columns.push(marker.column);
      }
      if (columns.length + quotes > MAX_NESTING) throw tooDeep(file, line);
    }
  }
}

/** The quote and list markers that a line begins with, each with its column. */
function* markersOf(line: string): Generator<{ readonly quote: boolean; readonly column: number }> {
  if (THEMATIC_BREAK.test(line)) return;
  for (let column = 0; ;) {
    MARKER.lastIndex = column;
    const match = MARKER.exec(line);
    if (match === null) return;
    column = MARKER.lastIndex;
    yield { quote: match[0].endsWith('>'), column };
  }
}
