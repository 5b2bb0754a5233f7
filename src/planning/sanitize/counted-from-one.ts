import { renumberDecisions } from '../../plan/expansion.js';
import type { Expansion } from '../../plan/expansion.js';

/**
 * The expansion with its dependencies counted from 1, as they are asked for. A model that counts from 0 gives itself away
 * by a 0, for there is no sub-goal of that number. Where counting from 0 would make a sub-goal wait for itself or for one
 * that there is not, the 0 stands for none, and nothing is changed.
 */
export function countedFromOne<T extends Expansion>(expansion: T): T {
  const { sub_goals } = expansion;
  const numbers = sub_goals.flatMap(({ depends_on }, index) =>
    depends_on.map((number) => ({ number, index })),
  );
  const fromZero =
    numbers.some(({ number }) => number === 0) &&
    numbers.every(({ number, index }) => number >= 0 && number < sub_goals.length && number !== index);
  if (!fromZero) return expansion;
  return {
    ...expansion,
    ...renumberDecisions(expansion.decisions, (number) => number + 1),
    sub_goals: sub_goals.map((one) => ({ ...one, depends_on: one.depends_on.map((number) => number + 1) })),
  };
}
