import { STYLING, widthToBreakAt, breakLine } from '../../../kernel/text/break-line.js';

/** A name before a value, or a number before a description, is at most so wide where what follows is lined up with it. */
const WIDEST_LEAD = 14;
/** Words have at least so much room beside what they are lined up with. */
const LEAST_ROOM = 16;

/**
 * A text for a screen of so many columns: lines that are wider go on below, lined up with where their value or their
 * words begin. Without a width it stays as it is; a terminal that does not know its own says 0.
 */
export function wrapped(text: string, columns: number | undefined): string {
  if (columns === undefined || columns <= 0) return text;
  return text
    .split('\n')
    .map((line) => (widthToBreakAt(line) <= columns ? line : wrappedLine(line, columns)))
    .join('\n');
}

function wrappedLine(line: string, columns: number): string {
  const lead = leadOf(line, columns);
  const below = lead.isAligned
    ? widthToBreakAt(lead.text)
    : Math.min(lead.text.length + 2, columns - LEAST_ROOM);
  const indent = ' '.repeat(Math.max(0, below));
  const lines = breakLine(line.slice(lead.text.length), columns - indent.length);
  return lines.map((each, index) => `${index === 0 ? lead.text : indent}${each}`).join('\n');
}

/** What stands before the words of a line: a name, a number, a bullet; else its spaces alone. */
function leadOf(line: string, columns: number): { readonly text: string; readonly isAligned: boolean } {
  const spaces = /^ */.exec(line)?.[0] ?? '';
  const lead = beginningOf(line);
  const width = widthToBreakAt(lead);
  if (lead !== '' && width <= WIDEST_LEAD && columns - width >= LEAST_ROOM)
    return { text: lead, isAligned: true };
  return { text: spaces.slice(0, Math.max(0, columns - LEAST_ROOM)), isAligned: false };
}

/** What may stand before the words: a name and two spaces or more, a number or a bullet and one. */
function beginningOf(line: string): string {
  const words = line
    .split(STYLING)
    .filter((_part, index) => index % 2 === 0)
    .join('');
  const found =
    /^ *\S+(?: \S+)? {2,}/.exec(words) ??
    /^ *(?:[-*+~●○◐·◆✓✗]|[\d.]+|root)(?: [\d.]+)? +/.exec(words) ??
    /^ *[a-z]+: /.exec(words);
  return found === null ? '' : withStyling(line, found[0].length);
}

/** The beginning of a styled text that shows so many characters, with the styling that ends there. */
function withStyling(line: string, characters: number): string {
  let left = characters;
  let end = 0;
  for (const part of line.split(STYLING)) {
    if (part.startsWith('\u001B')) end += part.length;
    else {
      const taken = Math.min(left, part.length);
      left -= taken;
      end += taken;
      if (taken < part.length) break;
    }
  }
  return line.slice(0, end);
}
