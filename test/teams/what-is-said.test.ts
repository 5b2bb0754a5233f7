import { setTimeout as wait } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { planWorker } from '../../src/features/teams/operations/plan-worker.js';
import type { PlanningEvent } from '../../src/operations/planning/planning-progress.js';
import { openDatabase } from '../../src/features/teams/postgres/database.js';
import { joinTeam } from '../../src/features/teams/workers/membership.js';
import { newUser } from '../support/command.js';
import { startModelServer, uniformTree } from '../support/model-server.js';
import { newDatabase } from '../support/postgres.js';
import { leaveToWorkers, machineOf } from '../support/teams.js';
import { databaseUser } from '../support/worker-processes.js';

/** What commands say, without how lines are broken. */
const unbroken = (text: string) => text.replaceAll(/\s+/g, ' ');

test('a plan that is left to workers says so, how many there are, and what leads on', async () => {
  const url = await newDatabase();
  const user = databaseUser();
  const say = async (...args: readonly string[]) => {
    const { out, error } = await user.run(args, { FRCTL_DATABASE_URL: url });
    return unbroken(`${out} ${error}`);
  };
  const planning = async () =>
    (await user.run(['status', '--json'], { FRCTL_DATABASE_URL: url })).json().planning;
  await say('init', 'Build a web shop', '--workers');
  const lonely = await say('status');
  expect(lonely).toMatch(/Plan \w+ to plan Goals/);
  expect(lonely).toContain('left to workers, none is there: `plan worker` is one');
  expect(lonely).toContain('Next `plan worker` goes on planning');
  expect(await say('next')).toContain('`plan worker` goes on planning');
  expect(await planning()).toMatchObject({ by: 'workers', workers: 0 });

  const member = await joinTeam({
    database: openDatabase(url),
    newProcess: () => 'one',
    about: { host: 'h', pid: 1, version: 'test' },
    onLost: () => undefined,
  });
  await member.own('pool');
  const helped = await say('status');
  expect(helped).toMatch(/Plan \w+ planning Goals/);
  expect(helped).toContain('it is left to workers, and there is 1 worker');
  expect(helped).not.toContain('plan resume');
  expect(await planning()).toMatchObject({ by: 'workers', workers: 1 });
  expect(await say('pause')).toContain('calls in flight still end and count; after that `plan resume');
  expect(await say('status')).toContain('goes on planning once the calls in flight have ended.');

  await member.end();
  const paused = await say('status');
  expect(paused).toMatch(/Next `plan resume \S+` goes on planning\./);
  expect(paused).not.toContain('in flight');
});

test('a plan that a process plans says which, and that a pause comes after its calls in flight', async () => {
  const server = await startModelServer({ tree: uniformTree(2, 2), delay: 600_000 });
  onTestFinished(() => server.close());
  const user = newUser();
  const planner = user.start(['init', 'Build a web shop', '--model', 'm'], {
    OPENAI_BASE_URL: server.baseUrl,
  });
  onTestFinished(() => void planner.process.kill('SIGKILL'));
  while (server.count === 0) await wait(20);
  const status = unbroken((await user.run(['status'])).out);
  expect(status).toContain(`process ${planner.process.pid} on `);
  expect(status).toContain('`plan pause` asks it to stop.');
  expect(status).not.toContain('plan resume');
  expect(unbroken((await user.run(['pause'])).out)).toContain(
    'calls in flight still end and count; after that `plan resume',
  );
  planner.process.kill('SIGKILL');
  await planner.ended;
  expect(unbroken((await user.run(['status'])).out)).not.toContain('in flight');
});

test('a worker says that it waits, what it plans, and how that ended', async () => {
  const tree = uniformTree(2, 3);
  const server = await startModelServer({ tree });
  onTestFinished(() => server.close());
  const machine = machineOf(await newDatabase(), { OPENAI_BASE_URL: server.baseUrl });
  const notices: string[] = [];
  const emit = (event: PlanningEvent) => {
    if (event.type === 'notice') notices.push(event.message);
  };
  const over = new AbortController();
  const worker = planWorker.run({ ...machine, emit, signal: over.signal }, { concurrency: 1 });
  const said = async (text: string) => {
    while (!notices.some((one) => one.startsWith(text))) await wait(20);
  };
  await said('Waiting for plans and runs');
  const settings = { model: 'm', max_children: 3 };
  const whole = await leaveToWorkers(machine, { goal: tree.description, settings });
  await said(`Planned ${whole.planId}: 13 goals.`);
  const poor = await leaveToWorkers(machine, {
    goal: tree.description,
    settings: { ...settings, budget: { calls: 1 } },
  });
  await said(`Paused ${poor.planId}: its budget is used up.`);
  const unknown = await leaveToWorkers(machine, { goal: 'Frob xyzzy', settings: { expander: 'rules' } });
  await said(`Planned ${unknown.planId}: 1 goal. But no rule knows how to divide this goal`);
  over.abort();
  await worker;
  for (const { planId } of [whole, poor])
    expect(notices.filter((one) => one.includes(planId) && !one.startsWith('Planning'))).toHaveLength(1);
  expect(notices).toContain(`Planning ${whole.planId}.`);
});
