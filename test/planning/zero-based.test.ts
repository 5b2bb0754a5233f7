import { describe, expect, test } from 'vitest';

import { countedFromOne } from '../../src/planning/sanitize/counted-from-one.js';

const counted = (...dependencies: readonly (readonly number[])[]) =>
  countedFromOne({
    atomic: false,
    reasoning: 'r',
    sub_goals: dependencies.map((depends_on) => ({
      description: 'd',
      atomic: true,
      reasoning: 'r',
      depends_on: [...depends_on],
    })),
  }).sub_goals.map(({ depends_on }) => depends_on);

describe('numbers of earlier sub-goals', () => {
  test.each([
    ['from 0 are shifted', [[], [0], [0, 1]], [[], [1], [1, 2]]],
    ['from 0 are shifted where one waits for a later one', [[], [0, 2], [0]], [[], [1, 3], [1]]],
    ['from 1 stay', [[], [1], [1, 2]], [[], [1], [1, 2]]],
    ['from 1 stay where 0 stands for none', [[0], [1], [2]], [[0], [1], [2]]],
    ['from 1 stay where the last is named', [[], [0], [3]], [[], [0], [3]]],
    ['that are negative are left to the guards', [[], [0], [-1]], [[], [0], [-1]]],
    ['are left alone where there are none', [[], []], [[], []]],
  ])('%s', (_name, given, expected) => {
    expect(counted(...given)).toEqual(expected);
  });
});
