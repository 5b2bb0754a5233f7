import { expect, it } from 'vitest';

import { toJson } from '../../src/exports/json.js';
import { goal, planOf } from '../support/plans.js';

it('the JSON export leaves out what only means something in its own store', () => {
  const run = { id: 'r1', host: 'h', pid: 1, started_at: '2025-11-30T10:00:00Z' };
  const file: unknown = JSON.parse(toJson(planOf([goal('root')], { run, schema_version: '1.0', later: 1 })));
  expect(file).not.toHaveProperty('run');
  expect(file).not.toHaveProperty('log');
  expect(file).toMatchObject({ schema_version: '1.0', later: 1 });
});
