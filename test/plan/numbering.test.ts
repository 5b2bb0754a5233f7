import fc from 'fast-check';
import { expect, test } from 'vitest';

import { depthFirst, numbering, numberOf } from '../../src/plan/tree.js';
import { soundPlans } from '../support/random-plans.js';

test('goals numbered together have the numbers that each has by itself, in any order', () => {
  fc.assert(
    fc.property(soundPlans, fc.boolean(), (plan, isReversed) => {
      const numberIn = numbering(plan);
      const goals = [...depthFirst(plan)];
      for (const { goal, number } of isReversed ? goals.toReversed() : goals) {
        expect(numberIn(goal)).toBe(number);
        expect(numberIn(goal)).toBe(numberOf(plan, goal));
      }
    }),
  );
});
