import { quantityOf } from '../kernel/text/quantity-of.js';
import type { Plan } from '../plan/plan.js';

/** Returns of how many goals the detail is left out, in words; nothing where none has any. */
export function lostDetails({ goals }: Plan): readonly string[] {
  const detailed = [...goals.values()].filter(({ detail = '' }) => detail !== '');
  return detailed.length === 0
    ? []
    : [`the detail of ${quantityOf(detailed.length, 'goal')} (json and toon have it)`];
}
