import type { Region } from './finding.js';
import type { Subject } from './subject.js';

/** Tells the id of the innermost step around a place, or null. */
export function stepLocator({ steps, placeOf }: Subject): (region: Region) => string | null {
  let ranges: readonly { readonly start: number; readonly end: number; readonly id: string }[] | undefined;
  return ({ start, end }) => {
    ranges ??= steps
      .map(({ step, pointer }) => ({ ...placeOf(pointer), id: step.id }))
      .toSorted((a, b) => a.start - b.start || b.end - a.end);
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle]?.start ?? 0) <= start) low = middle + 1;
      else high = middle;
    }
    for (let at = low - 1; at >= 0; at -= 1) {
      const range = ranges[at];
      if (range !== undefined && range.end >= end) return range.id;
    }
    return null;
  };
}
