import { describe, expect, test } from 'vitest';

import { convertActionPlan } from '../../../src/features/actions/convert/convert-action-plan.js';
import { DIALECT_NAMES } from '../../../src/features/actions/model/dialect.js';
import type { DialectName } from '../../../src/features/actions/model/dialect.js';
import { readJsonDocument } from '../../../src/kernel/json/json-document.js';
import { isSameTree } from '../../../src/kernel/json/json-tree.js';
import { readActionPlan } from '../../../src/features/actions/model/read-action-plan.js';
import { ACTION_PLAN_FILES } from '../../support/action-plan-files.js';

/** Dialects that cannot have a plan without a step. */
const NEED_STEPS: ReadonlySet<DialectName> = new Set(['obsidian', 'frctl']);
/** Dialects whose readers take no number that a double cannot hold. */
const NEED_DOUBLES: ReadonlySet<DialectName> = new Set(['wa', 'soulbrowser']);

describe.each(ACTION_PLAN_FILES)('$name', ({ dialect, text }) => {
  const read = readActionPlan(text);

  test('is the same bytes in its own dialect', () => {
    expect(convertActionPlan(read, dialect).text).toBe(text);
  });

  // What a dialect cannot have at all has tests of its own.
  const targets = DIALECT_NAMES.filter((name) => !NEED_DOUBLES.has(name) || !text.includes('1e400')).filter(
    (name) => name !== dialect && (read.plan.steps.length > 0 || !NEED_STEPS.has(name)),
  );

  test.each(targets)('comes back from %s as it was', (target) => {
    const there = convertActionPlan(read, target);
    const again = readActionPlan(there.text, { format: target, sidecar: there.sidecar ?? undefined });
    const back = convertActionPlan(again, dialect);
    expect(there.remarks.length === 0 ? back.text : text).toBe(text);
    expect(isSameTree(readJsonDocument(back.text).root, readJsonDocument(text).root)).toBe(true);
  });

  test.each(targets)('comes back from %s as it was, with its losses noted on the way', (target) => {
    const there = convertActionPlan(read, target, true);
    const again = readActionPlan(there.text, { format: target, sidecar: there.sidecar ?? undefined });
    const back = convertActionPlan(again, dialect, true);
    // What was lost and is not carried beside, such as a reference that became text, stays noted.
    const { losses } = readActionPlan(back.text, { sidecar: back.sidecar ?? undefined });
    expect(losses.map(({ what }) => what)).toEqual(again.losses.map(({ what }) => what));
    const isSame = isSameTree(readJsonDocument(back.text).root, readJsonDocument(text).root);
    expect(isSame || losses.length > 0).toBe(true);
  });
});
