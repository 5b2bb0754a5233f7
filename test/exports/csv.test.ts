import { expect, test } from 'vitest';

import { toCsv } from '../../src/exports/csv.js';
import { goal, planOf } from '../support/plans.js';

test.each(['=1+1', ' =1+1', '\n=1+1', '\t@SUM(A1)', '\u200B=1+1', '\uFEFF+1', ' \u2060-1'])(
  'a cell that a spreadsheet would take for a formula has an apostrophe in front: %j',
  (description) => {
    const csv = toCsv(planOf([{ ...goal('root'), description }]));
    expect(csv).toMatch(/'\s*\p{Cf}*[=+\-@]/u);
  },
);

test('other cells are as they are', () => {
  const description = ' a = b, c - d';
  expect(toCsv(planOf([{ ...goal('root'), description }]))).toContain(`"${description}"`);
});
