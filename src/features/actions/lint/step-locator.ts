import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import type { Region } from './finding.js';
import type { Subject } from './subject.js';

/** A step and where it is in the document. */
export interface LocatedStep {
  readonly id: string;
  readonly pointer: JsonPointer;
}

interface StepRange extends LocatedStep, Region {
  /** Index of the step around it; -1 where there is none. */
  readonly around: number;
}

/** Tells the innermost step around a place, or null. */
export function stepLocator({ steps, placeOf }: Subject): (region: Region) => LocatedStep | null {
  let ranges: readonly StepRange[] | undefined;
  return ({ start, end }) => {
    ranges ??= nested(steps.map(({ step, pointer }) => ({ ...placeOf(pointer), id: step.id })));
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle]?.start ?? 0) <= start) low = middle + 1;
      else high = middle;
    }
    return ranges[innermost(ranges, low - 1, end)] ?? null;
  };
}

/** Steps by place, each with the one around it. They stand one behind or within the other. */
function nested(places: readonly (LocatedStep & Region)[]): readonly StepRange[] {
  const ranges: StepRange[] = [];
  for (const place of places.toSorted((a, b) => a.start - b.start || b.end - a.end))
    ranges.push({ ...place, around: innermost(ranges, ranges.length - 1, place.end) });
  return ranges;
}

/** Index of the innermost step that reaches as far, of the one at an index and those around it; -1 where none does. */
function innermost(ranges: readonly StepRange[], from: number, end: number): number {
  let at = from;
  for (let range = ranges[at]; range !== undefined && range.end < end; range = ranges[at]) at = range.around;
  return at;
}
