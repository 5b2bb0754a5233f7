import { join } from 'node:path';

import { expect, test } from 'vitest';

import { agree, carryOut, newPlace } from '../support/approving.js';
import type { Place } from '../support/approving.js';

const TOOLS = `tools:
  - { name: post, effects: once, run: { command: [echo, '\${id}'] } }
  - { name: dies, effects: once, run: { command: [sh, -c, 'kill -9 $$'] } }
`;
const step = (id: string, tool = 'post', more: object = {}) => ({
  id,
  tool,
  args: tool === 'post' ? { id } : {},
  ...more,
});

const plan = (...steps: readonly object[]) => ({ schema_version: '1.0', goal: 'Publish release 2', steps });

async function prepared(place: Place): Promise<{ run: string; code: string }> {
  const { run, approval } = await place.workspace.prepare('plan.json', {});
  return { run, code: approval?.code ?? '' };
}

async function begun(place: Place): Promise<string> {
  const { run, code } = await prepared(place);
  await agree(place.workspace, code);
  await carryOut(place.workspace, run);
  return run;
}

const commandsOf = ({ next }: { next: readonly { command: string }[] }) => next.map(({ command }) => command);

test('who was not there is told what a run is for, what nobody knows, what it was called with, and how to say it', async () => {
  const place = await newPlace(plan(step('a'), step('send', 'dies'), step('z')), TOOLS);
  const run = await begun(place);
  const shown = await place.workspace.runs.show(run);
  expect(shown).toMatchObject({
    status: 'waiting',
    plan_goal: 'Publish release 2',
    counts: { succeeded: 1, unknown: 1 },
    unknown: [{ step: 'send', effects: 'once', args: {} }],
  });
  expect(commandsOf(shown)).toEqual([
    `plan runs settle ${run} send --as done`,
    `plan runs settle ${run} send --as not-done`,
    `plan run ${run}`,
    `plan abort ${run}`,
  ]);
  await place.workspace.abort(run);
  const [again] = (await place.workspace.runs.show(run)).next;
  expect(again?.does).toContain('Then these steps act a second time: a, send. If that must not be,');
});

test('a run that needs a code is told so, and how another code is had', async () => {
  const place = await newPlace(plan(step('a'), step('send', 'post', { requires_approval: true })), TOOLS);
  const { run, code } = await prepared(place);
  const path = join(place.folder, 'plan.json');
  expect(commandsOf(await place.workspace.runs.show(run))).toEqual([
    'plan approve CODE',
    `plan prepare ${path}`,
  ]);
  await expect(place.workspace.run(run, {}).result).rejects.toMatchObject({
    code: 'E_PLAN_APPROVAL_MISSING',
    hint: expect.stringContaining('`plan approve CODE`'),
  });
  await agree(place.workspace, code);
  const first = await carryOut(place.workspace, run);
  const shown = await place.workspace.runs.show(run);
  expect(shown.waiting).toMatchObject([
    { step: 'send', args: { id: 'send' }, commands: ['plan approve CODE'] },
  ]);
  expect(commandsOf(shown)).toEqual(['plan approve CODE', `plan run ${run}`, `plan abort ${run}`]);
  // As is said, another run of it draws another code.
  const second = await carryOut(place.workspace, run);
  expect(second.waiting[0]?.code).toMatch(/^[0-9A-Z]{8}$/);
  expect(second.waiting[0]?.code).not.toBe(first.waiting[0]?.code);
});

test('an outcome is settled of a step that there is and that has begun', async () => {
  const each = step('each', 'post', { foreach: { from: '$vars.xs', item_name: 'x' } });
  const nested = { id: 'sub', tool: 'nested', args: {}, plan: { steps: [step('in')] } };
  const steps = { ...plan(each, step('send', 'dies'), nested, step('z')), context: { xs: [1, 2] } };
  const place = await newPlace(steps, TOOLS);
  const { run, code } = await prepared(place);
  const settled = async (name: string) =>
    place.workspace.runs.settle(run, name, { as: 'done' }).then(
      () => null,
      (error: { code: string; message: string; hint: string }) => error,
    );
  expect(await settled('send')).toMatchObject({
    code: 'WRONG_STATE',
    message: `send has not started in ${run}, so there is nothing to settle`,
  });
  await agree(place.workspace, code);
  await carryOut(place.workspace, run);
  for (const name of ['z', 'sub', 'sub/plan/in'])
    expect(await settled(name)).toMatchObject({
      code: 'WRONG_STATE',
      message: expect.stringContaining(`${name} has not started`),
      hint: 'Unknown outcomes: send.',
    });
  for (const name of [
    'zz',
    '',
    'each[2]',
    'each[01]',
    'each[0][0]',
    'z[0]',
    'sub/plan/out',
    'in',
    '[0]',
    '__proto__',
  ])
    expect(await settled(name)).toMatchObject({
      code: 'STEP_NOT_FOUND',
      message: `${run} has no step ${JSON.stringify(name)}`,
      hint: expect.stringContaining('Unknown outcomes: send.'),
    });
  expect((await settled('sned'))?.hint).toContain('Did you mean send?');
  for (const name of ['each', 'each[1]'])
    expect(await settled(name)).toMatchObject({
      code: 'WRONG_STATE',
      message: `${name} is succeeded in ${run}: its outcome is known`,
    });
  expect(await settled('send')).toBeNull();
});

test('a run that there is not is not said to be approved with a code', async () => {
  const place = await newPlace(plan(step('a')), TOOLS);
  const { run } = await prepared(place);
  for (const dryRun of [undefined, true])
    await expect(place.workspace.approve({ code: 'run-zzzzzzzz', dryRun })).rejects.toMatchObject({
      code: 'E_PLAN_NOT_FOUND',
    });
  await expect(place.workspace.approve({ code: run })).rejects.toMatchObject({ code: 'REFUSED' });
});

test('a foreach that failed is over when its run is', async () => {
  const each = step('each', 'fails', { foreach: { from: '$vars.xs', item_name: 'x' } });
  const place = await newPlace(
    { ...plan(each), context: { xs: [1, 2] } },
    `${TOOLS}  - { name: fails, effects: once, run: { command: ['false'] } }\n`,
  );
  const run = await begun(place);
  const shown = await place.workspace.runs.show(run);
  expect(shown).toMatchObject({ status: 'failed', failed: 'each[0]', counts: { failed: 2 } });
  expect(shown.steps).toMatchObject([
    { step: 'each', state: 'failed', ended_at: expect.any(String), error: { code: 'EXIT_STATUS' } },
    { step: 'each[0]', state: 'failed' },
  ]);
});
