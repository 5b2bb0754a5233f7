import type { Expansion } from '../../src/plan/expansion.js';

/** The dependencies among sub-goals that their other dependencies come after, as `6 on 4`. */
export function redundantIn(subGoals: Expansion['sub_goals']): readonly string[] {
  const before = (number: number): readonly number[] =>
    (subGoals[number - 1]?.depends_on ?? []).flatMap((each) => [each, ...before(each)]);
  return subGoals.flatMap(({ depends_on: own }, index) =>
    own
      .filter((number) => own.some((other) => before(other).includes(number)))
      .map((number) => `${index + 1} on ${number}`),
  );
}
