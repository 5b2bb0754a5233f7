import { expect, test } from 'vitest';

import { readActionPlan } from '../../src/features/actions/model/read-action-plan.js';
import { askingSteps } from '../../src/features/runs/model/steps/asking-steps.js';
import { stepsOfRun } from '../../src/features/runs/model/steps/run-step.js';
import type { FilesSeen } from '../../src/features/runs/model/tool.js';
import { asksToPrepare } from '../../src/features/runs/operations/approving/granted-steps.js';
import { workbench } from '../support/executing.js';

const ASK = { id: 'ask', tool: 'says', args: {}, requires_approval: true };

function stepsOf(steps: readonly object[], context: object) {
  const plan = { schema_version: '1.0', title: 'Try', context, steps };
  return stepsOfRun(readActionPlan(JSON.stringify(plan), { format: 'frctl' }).plan, 'frctl');
}

test('steps that ask below many items are looked for among some thousand instances, and then not known', async () => {
  const each = (id: string, from: string, inner: object) => ({
    id,
    tool: 'plan',
    args: {},
    foreach: { from: `{{${from}}}`, item_name: id },
    plan: { steps: [inner] },
  });
  const none = { ...ASK, foreach: { from: '{{none}}', item_name: 'item' } };
  const many = Array.from({ length: 100 }, (_, index) => index);
  const within = each('a', 'many', each('b', 'many', none));
  const steps = stepsOf([within], { many, none: [] });
  const found = await askingSteps(steps);
  expect(new Set(found.map(({ because }) => because))).toEqual(
    new Set(['its list is not known yet, or is too long']),
  );
  expect(found.length).toBeLessThanOrEqual(100);
});

test('the files of steps that ask are read once for all of them', async () => {
  const { toolbox } = workbench({}, ['says']);
  const says = toolbox.tools.get('says');
  const seen: (FilesSeen | undefined)[] = [];
  const named = (_call: unknown, files?: FilesSeen) => {
    seen.push(files);
    return Promise.resolve([]);
  };
  const tools = new Map([['says', { ...says, named } as NonNullable<typeof says>]]);
  const whole = {
    ...ASK,
    id: 'whole',
    tool: 'plan',
    plan: { steps: [{ id: 'in', tool: 'says', args: {} }] },
  };
  await asksToPrepare(stepsOf([ASK, whole], {}), { ...toolbox, tools });
  expect(seen).toEqual([expect.any(Map), seen[0]]);
  expect(seen[1]).toBe(seen[0]);
});
