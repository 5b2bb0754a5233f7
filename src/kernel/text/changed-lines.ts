/** One line of a comparison: taken away, added, or beside one that was. */
export interface ChangedLine {
  readonly sign: '-' | '+' | ' ';
  /** Its number in its text, from 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * What differs between two texts: all from the first line that differs to the last, with some lines around it. Whoever
 * reads it sees every change; lines between two changes that stayed are among both.
 * @param beside how many lines that stayed are shown before it and after it
 */
export function changedLines(before: string, after: string, beside: number): readonly ChangedLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  if (start === old.length && start === now.length) return [];
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const lines = (all: readonly string[], sign: ChangedLine['sign'], from: number, to: number) =>
    all.slice(from, to).map((text, index) => ({ sign, line: from + index + 1, text }));
  return [
    ...lines(now, ' ', Math.max(0, start - beside), start),
    ...lines(old, '-', start, old.length - end),
    ...lines(now, '+', start, now.length - end),
    ...lines(now, ' ', now.length - end, Math.min(now.length, now.length - end + beside)),
  ];
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
