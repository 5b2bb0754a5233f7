import { describe, expect, test } from 'vitest';

import { everyStep } from '../../../src/features/actions/model/action-plan.js';
import { readActionPlan } from '../../../src/features/actions/model/read-action-plan.js';
import { ACTION_PLAN_FILES } from '../../support/action-plan-files.js';

describe.each(ACTION_PLAN_FILES)('$name', ({ dialect, text }) => {
  test('is known by its shape', () => {
    expect(readActionPlan(text).dialect).toBe(dialect);
  });

  test('has the places of its steps', () => {
    const read = readActionPlan(text);
    for (const { step, pointer } of everyStep(read.plan)) {
      const node = read.document.at(read.pointerOf(pointer));
      expect(node?.kind).toBe('object');
      expect(text.slice(node?.start, node?.end)).toContain(JSON.stringify(step.id));
    }
  });
});
