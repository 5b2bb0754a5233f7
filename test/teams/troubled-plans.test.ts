import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { outputFileSync } from 'fs-extra/esm';
import { expect, onTestFinished, test } from 'vitest';

import { deletePlan } from '../../src/operations/maintenance/delete-plan.js';
import { planWorker } from '../../src/features/teams/operations/plan-worker.js';
import type { PlanningEvent } from '../../src/operations/planning/planning-progress.js';
import type { Context } from '../../src/operations/shared/context.js';
import { startModelServer, uniformTree } from '../support/model-server.js';
import type { ModelServer } from '../support/model-server.js';
import { inServer, newDatabase } from '../support/postgres.js';
import { leaveToWorkers, machineOf, workUntilDone } from '../support/teams.js';

const tree = uniformTree(3, 3);
const settings = { model: 'm', max_children: 3 };

async function newTeam(
  delay = 5,
): Promise<{ readonly url: string; readonly server: ModelServer; readonly machine: () => Context }> {
  const server = await startModelServer({ tree, delay });
  onTestFinished(() => server.close());
  const url = await newDatabase();
  return { url, server, machine: () => machineOf(url, { OPENAI_BASE_URL: server.baseUrl }) };
}

test('a plan that is deleted for good under workers is let go: nothing more is asked, and they end', async () => {
  const { url, server, machine } = await newTeam(100);
  const { planId, log } = await leaveToWorkers(machine(), { goal: tree.description, settings });
  const working = workUntilDone([machine(), machine()]);
  while (server.count < 2) await wait(10);
  await deletePlan.run({ ...machine(), emit: () => undefined }, { plan: planId, purge: true });
  await working;
  expect(server.count).toBeLessThan(13);
  await expect(log.refresh()).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' });
  expect(await inServer(url, 'select plan from frctl_planning')).toEqual([]);
});

test('a plan that cannot be read is told of once, and the others are looked after', async () => {
  const { url, machine } = await newTeam();
  const bad = await leaveToWorkers(machine(), { goal: tree.description, settings });
  const good = await leaveToWorkers(machine(), { goal: tree.description, settings });
  await inServer(url, `update frctl_event set body = '{"x":1}' where plan = '${bad.planId}' and seq = 1`);
  await inServer(url, 'update frctl_plan set snapshot = null, snapshot_seq = null');
  await inServer(url, 'delete from graphile_worker._private_jobs');
  const notices: string[] = [];
  const emit = (event: PlanningEvent) => {
    if (event.type === 'notice') notices.push(event.message);
  };
  const over = new AbortController();
  const worker = planWorker.run({ ...machine(), emit, signal: over.signal }, { concurrency: 2 });
  while ((await good.log.refresh()).header.status !== 'complete') await wait(50);
  over.abort();
  await worker;
  expect(notices.filter((notice) => notice.includes(bad.planId))).toHaveLength(1);
});

test('a pause that the database refuses is tried again by the same worker', async () => {
  const { url, server, machine } = await newTeam();
  const { log } = await leaveToWorkers(machine(), {
    goal: tree.description,
    settings: { ...settings, budget: { calls: 2 } },
  });
  // A sequence counts on where a statement is undone.
  await inServer(url, 'create sequence refusals');
  await inServer(
    url,
    `create function refuse_pause() returns trigger language plpgsql as $$ begin
       if nextval('refusals') <= 2 then raise exception 'not now'; end if; return new; end $$`,
  );
  await inServer(
    url,
    `create trigger refuse_pause before insert on frctl_event for each row
     when (new.body->>'type' = 'plan_paused') execute function refuse_pause()`,
  );
  await workUntilDone([machine()]);
  expect((await log.refresh()).header).toMatchObject({ status: 'paused', paused_because: 'budget' });
  expect(server.count).toBe(2);
});

test('what the database refuses of the limits of a model is told, once, and tried again', async () => {
  const { url, server, machine } = await newTeam();
  const { log } = await leaveToWorkers(machine(), { goal: tree.description, settings });
  await inServer(
    url,
    `create function refuse_request() returns trigger language plpgsql as $$ begin
       raise exception 'no leave' using errcode = 'insufficient_privilege'; end $$`,
  );
  await inServer(
    url,
    'create trigger refuse before insert on frctl_request for each row execute function refuse_request()',
  );
  const worker = machine();
  const own = join(worker.environment.homeFolder, '.config', 'frctl');
  outputFileSync(join(own, 'config.json'), '{"requests_at_once": 1}');
  const notices: string[] = [];
  const working = workUntilDone([worker], { notices });
  while (!notices.some((notice) => notice.includes('no leave'))) await wait(20);
  expect(server.count).toBe(0);
  await inServer(url, 'drop trigger refuse on frctl_request');
  await working;
  expect((await log.refresh()).header.status).toBe('complete');
  expect(notices.filter((notice) => notice.includes('no leave'))).toHaveLength(1);
});

test('a call counts once in a budget, however late the database settles it', async () => {
  const { url, server, machine } = await newTeam();
  const { log } = await leaveToWorkers(machine(), {
    goal: tree.description,
    settings: { ...settings, budget: { calls: 13 } },
  });
  await inServer(
    url,
    `create function slowly() returns trigger language plpgsql as $$ begin
       perform pg_sleep(0.2); return old; end $$`,
  );
  await inServer(
    url,
    'create trigger slowly before delete on frctl_held for each row execute function slowly()',
  );
  await workUntilDone([machine(), machine()]);
  expect((await log.refresh()).header).toMatchObject({ status: 'complete', usage: { calls: 13 } });
  expect(server.count).toBe(13);
});
