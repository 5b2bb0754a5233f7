import { oneLine } from '../kernel/text/safe-text.js';
import type { Goal } from '../plan/schema.js';

/** What shows that a goal is done, each on a line of its own; empty when nothing was said. */
export function goalCriteria({ acceptance = [] }: Goal): readonly string[] {
  return acceptance.map((criterion) => oneLine(criterion)).filter((line) => line !== '');
}
