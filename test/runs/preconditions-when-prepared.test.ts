import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { agree, carryOut, newPlace } from '../support/approving.js';

const TOOLS = `tools:
  - { name: look, effects: none, run: { command: [sh, -c, 'cat "$0" 2>/dev/null || echo nothing', '\${file}'] } }
  - { name: tell, effects: none, run: { command: [sh, -c, 'echo told > told; echo it'], env: [TOKEN] } }
  - { name: 'wa:send_text', effects: none, run: { command: [echo, sent] } }
  - { name: 'wa:run_workflow', effects: none, run: { command: [echo, ran] } }
  - { name: pane, effects: none, run: { command: [echo, one] } }
panes: { tool: pane, args: {}, identity: text }
checks:
  'wa:custom': { tool: look, args: { file: '\${expression}' }, expect: { type: string, pattern: ready } }
  secret: { tool: tell, args: {}, expect: true }
`;
const wa = (steps: readonly object[], preconditions: readonly object[] = [], workspace = '') => ({
  plan_version: 1,
  plan_id: 'plan:00000000000000000000000000000000',
  title: 'a plan',
  workspace_id: workspace,
  preconditions,
  steps: steps.map((step, index) => ({
    step_number: index + 1,
    step_id: `step:${index + 1}`,
    description: 'a step',
    idempotent: false,
    action: { type: 'send_text', pane_id: 1, text: 'x' },
    ...step,
  })),
});
const custom = { type: 'custom', name: 'tests pass', expression: 'state' };
const approval = (scope: object) => ({
  type: 'approval_valid',
  scope: { workspace_id: '', action_kind: 'send_text', ...scope },
});

describe('the preconditions of a plan', () => {
  test('are looked at when it is prepared, and again when it begins', async () => {
    const place = await newPlace(wa([{}], [custom]), TOOLS);
    const { preconditions, run } = await place.workspace.prepare('plan.json', {});
    expect(preconditions).toMatchObject([{ type: 'wa:custom', status: 'fail' }]);
    expect(preconditions[0]?.condition).toContain('"tests pass"');
    expect(preconditions[0]?.detail).toContain('nothing');
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({
      code: 'E_PLAN_PRECONDITION_FAILED',
      message: expect.stringContaining('wa:custom (name "tests pass", expression "state")') as string,
    });
    writeFileSync(join(place.folder, 'state'), 'ready');
    const again = await place.workspace.prepare('plan.json', {});
    expect(again.preconditions).toMatchObject([{ status: 'pass' }]);
    expect(await carryOut(place.workspace, again.run)).toMatchObject({ status: 'succeeded' });
  });

  test('that get a secret wait for the approval', async () => {
    const plan = {
      schema_version: '1.0',
      title: 't',
      preconditions: [{ type: 'secret', args: {} }],
      steps: [{ id: 'a', tool: 'look', args: { file: 'x' } }],
    };
    const place = await newPlace(plan, TOOLS);
    const { preconditions } = await place.workspace.prepare('plan.json', {});
    expect(preconditions).toMatchObject([{ type: 'secret', status: 'pending' }]);
    expect(existsSync(join(place.folder, 'told'))).toBe(false);
  });
});

describe('an approval that wa asks for by a precondition', () => {
  test('is asked of a person before the step', async () => {
    const place = await newPlace(wa([{ preconditions: [approval({ pane_id: 1 })] }]), TOOLS);
    const prepared = await place.workspace.prepare('plan.json', {});
    expect(prepared.approval_because).toContain('the step step:1 asks for it');
    await agree(place.workspace, prepared.approval?.code ?? '');
    const report = await carryOut(place.workspace, prepared.run);
    expect(report).toMatchObject({ status: 'waiting', waiting: [{ step: 'step:1', for: 'approval' }] });
    await agree(place.workspace, report.waiting[0]?.code ?? '');
    expect(await carryOut(place.workspace, prepared.run)).toMatchObject({ status: 'succeeded' });
  });

  test('of the plan is one of the run', async () => {
    const place = await newPlace(wa([{}], [approval({})]), TOOLS);
    const { approval_because: because, preconditions } = await place.workspace.prepare('plan.json', {});
    expect(because).toContain('the plan asks for it');
    expect(preconditions).toMatchObject([{ status: 'pending' }]);
  });

  test.each<[string, object, string]>([
    ['another workspace', { workspace_id: '/elsewhere' }, 'WRONG_SCOPE'],
    ['another action', { action_kind: 'delete_file' }, 'WRONG_SCOPE'],
    ['another pane', { pane_id: 2 }, 'WRONG_SCOPE'],
    ['this', { pane_id: 1 }, 'prepared'],
  ])('for %s is refused or not', async (_what, scope, outcome) => {
    for (const plan of [wa([{}], [approval(scope)]), wa([{ preconditions: [approval(scope)] }])]) {
      const place = await newPlace(plan, TOOLS);
      const found = await place.workspace.prepare('plan.json', {}).then(
        () => 'prepared',
        ({ details }: { readonly details: { readonly rule: string } }) => details.rule,
      );
      expect(found).toBe(outcome);
    }
  });
});

test('a run of wa is committed by the id of its plan where one alone is open', async () => {
  const place = await newPlace(wa([{}]), TOOLS);
  const first = await place.workspace.prepare('plan.json', {});
  const id = first.wa_ids?.plan_id ?? '';
  const second = await place.workspace.prepare('plan.json', {});
  await expect(carryOut(place.workspace, id)).rejects.toMatchObject({
    code: 'WRONG_STATE',
    details: { runs: expect.arrayContaining([first.run, second.run]) as string[] },
  });
  await place.workspace.abort(first.run);
  expect(await carryOut(place.workspace, id)).toMatchObject({ run: second.run, status: 'succeeded' });
  await expect(carryOut(place.workspace, id)).rejects.toMatchObject({ code: 'E_PLAN_NOT_FOUND' });
});
