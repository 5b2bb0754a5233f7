import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { createPostgresMaintenance } from '../../../src/features/teams/postgres/postgres-maintenance.js';
import { createPostgresRunStore } from '../../../src/features/teams/runs/postgres-run-store.js';
import type { RunListing } from '../../../src/features/runs/storage/run-store.js';
import { startModelServer, uniformTree } from '../../support/model-server.js';
import { inServer, newDatabase } from '../../support/postgres.js';
import { newPostgresStore } from '../../support/postgres-stores.js';
import { newStamp } from '../../support/stores.js';
import { machineOf, shapeOf, workUntilDone } from '../../support/teams.js';
import { databaseUser } from '../../support/worker-processes.js';

const VERSION_1 = readFileSync('test/fixtures/postgres/version-1.sql', 'utf8');
const PLAN = '644b6c8e';
const RUN = 'run-anxd3fdt';

/** A database as an frctl left it that knew no workers. */
async function olderDatabase(): Promise<string> {
  const url = await newDatabase();
  await inServer(url, VERSION_1);
  return url;
}

/** Every row of the tables that were there. */
const rowsOf = async (url: string) => [
  await inServer(url, 'select plan, seq, id, body::text from frctl_event order by plan, seq'),
  await inServer(url, 'select run, seq, id, body::text from frctl_run_event order by run, seq'),
  await inServer(
    url,
    `select id, shelf, seq, (summary->'summary')::text as summary, snapshot, snapshot_seq from frctl_plan`,
  ),
  await inServer(url, 'select replica from frctl_schema'),
];

const versionOf = (url: string) =>
  inServer(url, `select version, to_regclass('frctl_worker') is not null as workers from frctl_schema`);

/** What a database says of its version that was made just now. */
async function newestVersion() {
  const url = await newDatabase();
  await (await newPostgresStore(url)).ids();
  return versionOf(url);
}

/** A command of a process of its own. */
function listing(url: string) {
  const running = databaseUser().start(['list', '--json'], { FRCTL_DATABASE_URL: url });
  onTestFinished(() => void running.process.kill('SIGKILL'));
  return running;
}

test('tables of the first version are brought up to date, with all that is in them', async () => {
  const url = await olderDatabase();
  const before = await rowsOf(url);
  const store = await newPostgresStore(url);
  expect(await store.ids()).toEqual([PLAN]);
  expect(await versionOf(url)).toEqual(await newestVersion());
  expect(await rowsOf(url)).toEqual(before);
  expect(await versionOf(url)).toMatchObject([{ workers: true }]);
  const log = await store.open(PLAN);
  expect({ ...log.plan.counts }).toMatchObject({ total: 12, atomic: 10 });
  expect(shapeOf((await store.open(PLAN, 'log')).plan)).toEqual(shapeOf(log.plan));
  const goal = [...log.plan.goals.values()].find(({ status }) => status === 'failed');
  const [outcome] = await log.append([{ type: 'goal_reopened', goal: goal?.id ?? '', reason: 'again' }]);
  expect(outcome?.refused).toBeNull();
  const found: string[] = [];
  for await (const { diagnoses } of createPostgresMaintenance(url, store, newStamp()).examine())
    found.push(...diagnoses.map(({ code }) => code));
  expect(found).toEqual([]);
  const runs = createPostgresRunStore(url, newStamp());
  expect((await runs.open(RUN)).run.ended).toMatchObject({ outcome: 'succeeded' });
});

test('processes that find older tables at once bring them up to date once', async () => {
  const url = await olderDatabase();
  const before = await rowsOf(url);
  const ended = await Promise.all(Array.from({ length: 3 }, () => listing(url).ended));
  for (const { status, out } of ended) {
    expect(status).toBe(0);
    expect(out).toContain(PLAN);
  }
  expect(await versionOf(url)).toEqual(await newestVersion());
  expect(await rowsOf(url)).toEqual(before);
});

test('a process that is killed while it brings tables up to date leaves them as they were, and the next does it', async () => {
  const url = await olderDatabase();
  const before = await rowsOf(url);
  // Whoever holds this lets the new tables be made, and the version not be written.
  const holder = new Client({ connectionString: url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('begin; lock table frctl_schema in share mode');
  const first = listing(url);
  const waiting = (what: string) =>
    inServer(url, `select from pg_stat_activity where wait_event_type = 'Lock' and query like '${what}%'`);
  while ((await waiting('update frctl_schema')).length === 0) await setTimeout(20);
  first.process.kill('SIGKILL');
  await first.ended;
  const second = listing(url);
  while ((await waiting('select pg_advisory_lock')).length === 0) await setTimeout(20);
  expect(await versionOf(url)).toEqual([{ version: 1, workers: false }]);
  await holder.query('rollback');
  const { status, out } = await second.ended;
  expect(status).toBe(0);
  expect(out).toContain(PLAN);
  expect(await versionOf(url)).toEqual(await newestVersion());
  expect(await rowsOf(url)).toEqual(before);
});

test('tables of version 3 learn which runs are over, and an older frctl that goes on with them misleads nobody', async () => {
  const url = await newDatabase();
  await inServer(url, readFileSync('test/fixtures/postgres/version-3.sql', 'utf8'));
  const before = await rowsOf(url);
  const runs = createPostgresRunStore(url, newStamp());
  const statesOf = ({ runs: listed }: RunListing) => listed.map(({ ended }) => ended?.outcome ?? 'open');
  expect(statesOf(await runs.list())).toEqual(['open', 'succeeded', 'aborted']);
  expect(statesOf(await runs.list('open'))).toEqual(['open']);
  expect(await inServer(url, 'select count(*)::int as over from frctl_run where ended')).toEqual([
    { over: 2 },
  ]);
  expect(await rowsOf(url)).toEqual(before);
  expect(await versionOf(url)).toEqual(await newestVersion());

  const store = await newPostgresStore(url);
  const id = (await store.list()).plans[0]?.id ?? '';
  const log = await store.open(id);
  await log.append([
    { type: 'goal_edited', goal: `${id}-root`, fields: { description: 'Write the release notes' } },
  ]);
  await log.publish('now');
  const isKnown = () => inServer(url, `select seq = summary_seq as known from frctl_plan`);
  expect(await isKnown()).toEqual([{ known: true }]);
  // It writes the summary that it had, and no number beside it.
  await inServer(url, `update frctl_plan set summary = '${String(before[2]?.[0]?.summary)}'`);
  expect((await store.list()).plans).toMatchObject([{ id, description: 'Write the release notes' }]);
});

test('a plan that an older frctl has left to workers is planned on, whose worker was killed and whose jobs are gone', async () => {
  const url = await newDatabase();
  await inServer(url, readFileSync('test/fixtures/postgres/version-2.sql', 'utf8'));
  // A goal that the tree does not hold is atomic. The last call asks which leaves need each other, whatever the worker was started with: the plan does not rule it out.
  const server = await startModelServer({ tree: uniformTree(1, 1) });
  onTestFinished(() => server.close());
  const machine = machineOf(url, { OPENAI_BASE_URL: server.baseUrl });
  const log = await machine.store().open('e5314572');
  const { pending, total } = log.plan.counts;
  expect(pending).toBeGreaterThan(0);
  const calls = log.plan.header.usage?.calls ?? 0;
  expect(await workUntilDone([machine])).toBe(pending);
  expect({ ...(await log.refresh()).counts }).toMatchObject({ pending: 0, failed: 0, total });
  expect(log.plan.header.usage?.calls).toBe(calls + server.count);
  expect(server.count).toBeGreaterThan(pending);
  expect(log.plan.header.run).toBeUndefined();
  expect(await versionOf(url)).toEqual(await newestVersion());
});
