/** One line of a comparison: taken away, added, or beside one that was. */
export interface ChangedLine {
  readonly sign: '-' | '+' | ' ';
  readonly line: number;
  readonly text: string;
}

const BESIDE = 2;

/**
 * What differs between two texts: all from the first line that differs to the last, with two lines around it. Whoever
 * reads it sees every change; lines between two changes that stayed are among both.
 */
export function changedLines(before: string, after: string): readonly ChangedLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  if (before === after) return [];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const lines = (all: readonly string[], sign: ChangedLine['sign'], from: number, to: number) =>
    all.slice(from, to).map((text, index) => ({ sign, line: from + index + 1, text }));
  return [
    ...lines(now, ' ', Math.max(0, start - BESIDE), start),
    ...lines(old, '-', start, old.length - end),
    ...lines(now, '+', start, now.length - end),
    ...lines(now, ' ', now.length - end, Math.min(now.length, now.length - end + BESIDE)),
  ];
}
