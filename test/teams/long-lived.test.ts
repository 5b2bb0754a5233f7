import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { planWorker } from '../../src/features/teams/operations/plan-worker.js';
import { createWorkerPlans } from '../../src/features/teams/operations/worker-plans.js';
import type { Context } from '../../src/operations/shared/context.js';
import { teamOf } from '../../src/features/teams/operations/team-of.js';
import { temporaryFolder } from '../support/folders.js';
import { startModelServer, uniformTree } from '../support/model-server.js';
import { inServer, newDatabase } from '../support/postgres.js';
import { leaveToWorkers, machineOf, workUntilDone } from '../support/teams.js';

const tree = uniformTree(1, 2);
const settings = { model: 'm', max_children: 2 };

async function newTeam(): Promise<() => Context> {
  const server = await startModelServer({ tree, delay: 5 });
  onTestFinished(() => server.close());
  const url = await newDatabase();
  return () => machineOf(url, { OPENAI_BASE_URL: server.baseUrl });
}

test('a worker keeps nothing of a plan that is done', async () => {
  const machine = await newTeam();
  const { planId } = await leaveToWorkers(machine(), { goal: tree.description, settings });
  const worker = machine();
  const store = worker.store();
  const opened: string[] = [];
  const watched = {
    ...store,
    open: (id: string) => {
      opened.push(id);
      return store.open(id);
    },
  };
  const context: Context = { ...worker, store: () => watched };
  const never = new AbortController().signal;
  const workerPlans = createWorkerPlans({
    context,
    team: await teamOf(context),
    concurrency: 1,
    signal: never,
    drop: never,
    emit: () => undefined,
  });
  onTestFinished(() => workerPlans.close());
  await workerPlans.read(planId);
  await workerPlans.read(planId);
  expect(opened).toEqual([planId]);
  await workUntilDone([machine()]);
  await workerPlans.read(planId);
  expect(opened).toEqual([planId]);
  // Longer than a plan that rests is kept, and than it takes to look.
  await wait(4000);
  await workerPlans.read(planId);
  expect(opened).toEqual([planId, planId]);
});

test('a goal that fails again and again is marked for review, and the worker goes on', async () => {
  const machine = await newTeam();
  const { log } = await leaveToWorkers(machine(), { goal: tree.description, settings });
  const other = await leaveToWorkers(machine(), { goal: tree.description, settings });
  const worker = machine();
  let asked = 0;
  const { ids } = worker.environment;
  const goalSuffix = () => {
    asked += 1;
    // However they fall on two goals: three of them on one.
    if (asked <= 5) throw new TypeError('no id for it');
    return ids.goalSuffix();
  };
  const notices: string[] = [];
  const done = await planWorker.run(
    {
      ...worker,
      environment: { ...worker.environment, ids: { ...ids, goalSuffix } },
      emit: (event) => {
        if (event.type === 'notice') notices.push(event.message);
      },
    },
    { concurrency: 1, untilDone: true },
  );
  const counts = [await log.refresh(), await other.log.refresh()].map((plan) => plan.counts);
  expect(counts.map(({ pending }) => pending)).toEqual([0, 0]);
  expect(
    counts.reduce((sum, { failed, total }) => [(sum[0] ?? 0) + failed, (sum[1] ?? 0) + total], [0, 0]),
  ).toEqual([1, 4]);
  expect(done.plans).toHaveLength(1);
  expect(notices.some((notice) => notice.includes('no id for it'))).toBe(true);
});

test('workers ask a command no oftener than they may all together', async () => {
  const url = await newDatabase();
  const bin = temporaryFolder();
  writeFileSync(
    join(bin, 'claude'),
    `#!${process.execPath}\nconsole.log(JSON.stringify({ atomic: true, reasoning: 'small', sub_goals: [] }));\n`,
    { mode: 0o755 },
  );
  const machine = machineOf(url, { PATH: `${bin}:${process.env.PATH ?? ''}` });
  const own = join(machine.environment.homeFolder, '.config', 'frctl');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'config.json'), '{"requests_per_minute": 30}');
  await leaveToWorkers(machine, { goal: 'Do it', settings: { model: 'exec:claude' } });
  await workUntilDone([machine]);
  const asked = await inServer(url, 'select model, requests < 30 as counted from frctl_model');
  expect(asked).toEqual([{ model: 'command exec:claude', counted: true }]);
});
