import { longestRising } from '../checklists/child-order.js';

/** The places of lines in two texts, from 0. */
interface LineDifferences {
  /** Of the first text: those that the second has not, or has elsewhere. */
  readonly gone: readonly number[];
  /** Of the second text. */
  readonly come: readonly number[];
}

/** Returns the lines that one of two texts has more often than the other, or at another place among those that both have. */
export function lineDifferences(before: string, after: string): LineDifferences {
  const places = new Map<string, number[]>();
  for (const [index, line] of before.split('\n').entries()) {
    const found = places.get(line) ?? [];
    found.push(index);
    places.set(line, found);
  }
  const used = new Map<string, number>();
  const come: number[] = [];
  const both: { readonly from: number; readonly to: number }[] = [];
  for (const [to, line] of after.split('\n').entries()) {
    const times = used.get(line) ?? 0;
    const from = places.get(line)?.[times];
    if (from === undefined) come.push(to);
    else {
      used.set(line, times + 1);
      // Empty lines are all alike, wherever they stand.
      if (line.trim() !== '') both.push({ from, to });
    }
  }
  const gone = [...places].flatMap(([line, found]) => found.slice(used.get(line) ?? 0));
  const staying = longestRising(both.map(({ from }) => from));
  const moved = both.filter(({ from }) => !staying.has(from));
  return {
    gone: [...gone, ...moved.map(({ from }) => from)].toSorted((a, b) => a - b),
    come: [...come, ...moved.map(({ to }) => to)].toSorted((a, b) => a - b),
  };
}
