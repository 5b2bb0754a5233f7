import { expect, test } from 'vitest';

import { keptSummarySchema } from '../../src/plan/schema.js';
import { isSummary } from '../../src/storage/log/summary-shape.js';
import { filled, ODD_VALUES, pathsIn, putAt } from '../support/schema-samples.js';

test('a summary with any member that the schema has is taken for one only where the schema takes it as well', () => {
  const whole = filled(keptSummarySchema);
  expect(isSummary(whole)).toBe(true);
  const wrong = [...pathsIn(whole)].flatMap((path) =>
    ODD_VALUES.flatMap((put) => {
      const summary = structuredClone(whole);
      putAt(summary, path, put);
      return !isSummary(summary) || keptSummarySchema.safeParse(summary).success
        ? []
        : [[path.join('.'), put]];
    }),
  );
  expect(wrong).toEqual([]);
});
