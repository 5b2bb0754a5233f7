import { oneLine } from '../kernel/text/safe-text.js';
import type { Goal } from '../plan/schema.js';

/** What shows that a goal is done, each on a line of its own; empty when nothing was said. */
export function goalCriteria({ acceptance = [] }: Goal): readonly string[] {
  return acceptance.map((criterion) => oneLine(criterion)).filter((line) => line !== '');
}

/** The size of a goal that has no sub-goals, on one line; of another it says nothing any more, so null. */
export function sizeOf({ size, child_ids }: Goal): string | null {
  return size === undefined || child_ids.length > 0 ? null : oneLine(size) || null;
}
