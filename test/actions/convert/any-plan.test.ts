import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { readJsonSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';

import { convertActionPlan } from '../../../src/features/actions/convert/convert-action-plan.js';
import { writeActionPlan } from '../../../src/features/actions/convert/write-action-plan.js';
import { DIALECT_NAMES } from '../../../src/features/actions/model/dialect.js';
import { readJsonDocument } from '../../../src/kernel/json/json-document.js';
import { valueOfTree } from '../../../src/kernel/json/json-tree.js';
import { readActionPlan } from '../../../src/features/actions/model/read-action-plan.js';
import { waIdentity } from '../../../src/features/actions/wa/wa-identity.js';
import { ACTION_PLAN_FILES } from '../../support/action-plan-files.js';
import { anyActionPlan } from '../../support/arbitrary-action-plans.js';
import { scale } from '../../faults/support/scale.js';

const RUNS = { numRuns: scale(25, 6) };
const obsidianSchema = new Ajv2020({ strict: false }).compile(
  readJsonSync('schemas/obsidian-action-plan.schema.json') as object,
);

describe.each(DIALECT_NAMES)('any plan in %s', (dialect) => {
  test('is read as it was written, whatever the dialect can say of it', () => {
    fc.assert(
      fc.property(anyActionPlan, (plan) => {
        const { text, sidecar } = writeActionPlan(plan, dialect);
        const read = readActionPlan(text, { format: dialect, sidecar: sidecar ?? undefined });
        const back = writeActionPlan(read.plan, 'frctl', { from: dialect });
        expect(back.text).toBe(writeActionPlan(plan, 'frctl').text);
      }),
      RUNS,
    );
  });

  test('is found by its shape, and the same bytes in and out', () => {
    fc.assert(
      fc.property(anyActionPlan, (plan) => {
        const { text } = writeActionPlan(plan, dialect);
        const read = readActionPlan(text);
        expect(read.dialect).toBe(dialect);
        expect(convertActionPlan(read, dialect).text).toBe(text);
      }),
      RUNS,
    );
  });

  test.each(DIALECT_NAMES.filter((name) => name !== dialect))('comes back from %s', (other) => {
    fc.assert(
      fc.property(anyActionPlan, (plan) => {
        const written = writeActionPlan(plan, dialect);
        const read = readActionPlan(written.text, { sidecar: written.sidecar ?? undefined });
        const there = convertActionPlan(read, other);
        const again = readActionPlan(there.text, { format: other, sidecar: there.sidecar ?? undefined });
        const back = convertActionPlan(again, dialect);
        expect(back.text).toBe(written.text);
        expect(back.sidecar).toBe(written.sidecar);
      }),
      RUNS,
    );
  });
});

test.each(['prototype', 'constructor', '__proto__'])(
  'a reference below the key %s is still one on the way back',
  (key) => {
    const text = `{"schema_version": "1.0", "steps": [{"id": "a", "tool": "t", "args": {}}, {"id": "b", "tool": "t", "args": {"${key}": ["$steps.a.x"]}}]}`;
    const { plan } = readActionPlan(text, { format: 'frctl' });
    const there = readActionPlan(writeActionPlan(plan, 'soulbrowser').text, { format: 'soulbrowser' });
    const back = writeActionPlan(there.plan, 'frctl', { from: 'soulbrowser' });
    expect(back.text).toContain(`"${key}"`);
    expect(back.text).toBe(writeActionPlan(plan, 'frctl').text);
  },
);

test('every Obsidian plan that is written is one by Obsidian’s schema', () => {
  fc.assert(
    fc.property(anyActionPlan, (plan) => {
      obsidianSchema(valueOfTree(readJsonDocument(writeActionPlan(plan, 'obsidian').text).root));
      expect(obsidianSchema.errors ?? null).toBeNull();
    }),
    RUNS,
  );
});

test.each(
  ACTION_PLAN_FILES.filter(
    ({ dialect, text }) => dialect !== 'obsidian' && readActionPlan(text).plan.steps.length > 0,
  ),
)('$name becomes a plan by Obsidian’s schema', ({ text }) => {
  obsidianSchema(JSON.parse(convertActionPlan(readActionPlan(text), 'obsidian').text));
  expect(obsidianSchema.errors ?? null).toBeNull();
});

test('every wa plan that is written has the id that its content gives, and passes wa’s validation', () => {
  fc.assert(
    fc.property(anyActionPlan, (plan) => {
      const identity = waIdentity(readJsonDocument(writeActionPlan(plan, 'wa').text).root);
      expect(identity).toMatchObject({ holds: 'file', problem: null });
    }),
    RUNS,
  );
});
