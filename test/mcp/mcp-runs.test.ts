import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { prepareSteps, runSteps, statusOfRun, stopRun } from '../../src/features/mcp/runs/run-steps.js';
import { openWorkspace } from '../../src/workspace.js';
import { newUser } from '../support/command.js';
import { toolWorld } from '../support/tool-world.js';

/** A step that lasts so long that whoever waits for its end is seen to, and shorter than the server would wait. */
const SLOW = 'for i in 1 2 3 4 5 6 7 8; do test -e go && exit 0; sleep 1; done';

/** A user with tools that he trusts: one ends at once, the other when there is a file `go`, or after some seconds. */
async function newPlace() {
  const user = newUser();
  mkdirSync(join(user.folder, '.plans'));
  writeFileSync(
    join(user.folder, '.plans', 'tools.yaml'),
    `tools:\n  - name: quick\n    effects: none\n    run: { command: ['true'] }\n  - name: slow\n    effects: none\n    run: { command: [sh, slow.sh] }\n  - name: wrong\n    effects: none\n    run: { command: ['false'] }\n`,
  );
  writeFileSync(join(user.folder, 'slow.sh'), SLOW);
  const environment = { workingFolder: user.folder, homeFolder: user.home, variables: {} };
  const { tools } = openWorkspace({ environment });
  const { digest } = await tools.trust({});
  await tools.trust({ digest });
  const begun: Promise<unknown>[] = [];
  let looks = 0;
  const world = {
    ...toolWorld(environment, (work) => void begun.push(work)),
    // The server tells it when it has waited for some seconds.
    progress: async () => void (looks += 1),
  };
  onTestFinished(async () => void (await Promise.allSettled(begun)));
  const go = () => writeFileSync(join(user.folder, 'go'), '');
  return { world, begun, go, untold: () => looks };
}

async function prepared(world: Awaited<ReturnType<typeof newPlace>>['world'], step: Record<string, unknown>) {
  return String((await prepareSteps(world, { steps: [{ id: 'a', args: {}, ...step }] })).run);
}

test('action_run answers when the run has begun, and status when something has changed', async () => {
  const { world, go } = await newPlace();
  const run = await prepared(world, { tool: 'slow' });
  expect(await runSteps(world, run, undefined)).toMatchObject({ run, state: 'running' });
  const waiting = statusOfRun(world, run, 50);
  go();
  const told = await waiting;
  const changed = told.state === 'running' ? await statusOfRun(world, run, 50) : told;
  expect(changed).toMatchObject({ state: 'succeeded', steps: [{ id: 'a', state: 'succeeded' }] });
});

test('a run that has begun can be stopped, for nobody waits for its end', async () => {
  const { world, begun } = await newPlace();
  const run = await prepared(world, { tool: 'slow' });
  expect(await runSteps(world, run, undefined)).toMatchObject({ state: 'running' });
  await stopRun(world, run);
  await Promise.allSettled(begun);
  expect(await statusOfRun(world, run, undefined)).toMatchObject({ state: 'aborted' });
});

test('with wait_s, action_run waits for the end of the run', async () => {
  const { world, go } = await newPlace();
  const run = await prepared(world, { tool: 'slow' });
  const running = runSteps(world, run, 50);
  go();
  expect(await running).toMatchObject({ state: 'succeeded' });
});

test.each([
  ['is over', { tool: 'quick' }, 'succeeded'],
  ['waits for a person', { tool: 'wrong', on_error: { strategy: 'approval', summary: 'Go on?' } }, 'waiting'],
] as const)('status does not wait for a run that %s', async (_how, step, state) => {
  const { world, begun, untold } = await newPlace();
  const run = await prepared(world, step);
  await runSteps(world, run, 50);
  await Promise.allSettled(begun);
  expect([(await statusOfRun(world, run, 4)).state, untold()]).toEqual([state, 0]);
});

test('status does not wait for a run that a person has to approve', async () => {
  const { world, untold } = await newPlace();
  const run = await prepared(world, { tool: 'quick', requires_approval: true });
  expect([(await statusOfRun(world, run, 4)).state, untold()]).toEqual(['prepared', 0]);
});

test('what refuses a run is told by the call that would have begun it', async () => {
  const { world, begun } = await newPlace();
  const run = await prepared(world, { tool: 'quick' });
  await runSteps(world, run, 50);
  await Promise.allSettled(begun);
  await expect(runSteps(world, run, undefined)).rejects.toMatchObject({ code: 'E_PLAN_CONSUMED' });
});
