import { setTimeout as wait } from 'node:timers/promises';

import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import type { Run } from '../../src/features/runs/model/run.js';
import { holdRun, isExecutorAlive } from '../../src/features/runs/operations/run-state.js';
import { createLimiter } from '../../src/llm/limiter.js';
import { createSharedLimiter } from '../../src/features/teams/operations/shared-limiter.js';
import { openDatabase } from '../../src/features/teams/postgres/database.js';
import { createTeam } from '../../src/features/teams/workers/postgres-team.js';
import type { Team } from '../../src/features/teams/team.js';
import { inServer, newDatabase } from '../support/postgres.js';
import { machineOf } from '../support/teams.js';

let processes = 0;

/** A process of its own, as far as the database can tell. */
function memberOf(url: string): Team {
  processes += 1;
  const own = new URL(url);
  own.searchParams.set('application_name', `member${processes}`);
  return createTeam({
    database: openDatabase(own.href),
    newProcess: () => `process${(processes += 1)}`,
    about: { host: 'h', pid: processes, version: 'test' },
  });
}

test('a model is asked by so many at once and so often a minute, whoever asks, and by nobody while it is closed', async () => {
  const url = await newDatabase();
  const [here, there] = [memberOf(url), memberOf(url)];
  const few = { concurrency: 2 };
  const [a, b] = [here.rateLimit('m', few), there.rateLimit('m', few)];
  // The first look only makes the row.
  while ((await a.enter('1')) > 0);
  expect(await b.enter('2')).toBe(0);
  expect(await a.enter('3')).toBeGreaterThan(0);
  await b.leave('2');
  expect(await a.enter('3')).toBe(0);
  const slow = there.rateLimit('n', { requestsPerMinute: 3 });
  const entered: number[] = [];
  while ((await slow.enter('first')) > 0);
  for (const id of ['s2', 's3', 's4']) entered.push(await slow.enter(id));
  expect(entered.slice(0, 2)).toEqual([0, 0]);
  expect(entered[2]).toBeGreaterThan(1000);
  await a.close(60_000);
  expect(await b.enter('4')).toBeGreaterThan(10_000);
  const [row] = await inServer(url, `select under_way from frctl_model where model = 'm'`);
  expect(row).toEqual({ under_way: 2 });
});

test('a member that is closed to a model tells the others, also those that have no limits', async () => {
  const url = await newDatabase();
  const [here, there] = [memberOf(url), memberOf(url)];
  const over = new AbortController();
  await there.prepare();
  const working = there.work({
    concurrency: 1,
    signal: over.signal,
    handle: async () => undefined,
    carryOut: async () => undefined,
    avoided: () => [],
    sweep: async () => undefined,
    notice: () => undefined,
  });
  const rateLimit = there.rateLimit('m', {});
  expect(await rateLimit.enter('x')).toBe(0);
  // Until the other listens, it is told again.
  while (rateLimit.closedFor() === 0) {
    await here.rateLimit('m', {}).close(30_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await rateLimit.enter('y')).toBeGreaterThan(10_000);
  over.abort();
  await working;
});

test('whether the executor of a run lives is known on every machine, also after its connection was lost', async () => {
  const url = await newDatabase();
  const executor = { id: 'e', host: 'elsewhere', pid: 1, at: '2026-01-01T00:00:00Z', version: '1' };
  const run = { id: 'run-0000abcd', running: true, executor } as unknown as Run;
  const [here, there] = [machineOf(url), memberOf(url)];
  expect(await isExecutorAlive(run, here)).toBe(false);
  const release = await there.hold(run.id);
  expect(await isExecutorAlive(run, here)).toBe(true);
  await expect(holdRun(here, run)).rejects.toMatchObject({
    code: 'RUN_BUSY',
    message: 'process 1 on elsewhere is carrying out run-0000abcd',
  });
  // It holds the run before it says in the log which process it is.
  await expect(holdRun(here, { ...run, executor: null })).rejects.toMatchObject({
    code: 'RUN_BUSY',
    message: 'another process is carrying out run-0000abcd',
    details: { run: 'run-0000abcd', host: null, pid: null },
  });
  await inServer(
    url,
    `select pg_terminate_backend(pid) from pg_locks join pg_database d on d.oid = database
     where locktype = 'advisory' and datname = current_database()`,
  );
  // It is taken again, for the process lives.
  while (!(await there.isHeld(run.id))) await new Promise((resolve) => setTimeout(resolve, 20));
  await release?.();
  while (await there.isHeld(run.id)) await new Promise((resolve) => setTimeout(resolve, 20));
  await (
    await holdRun(here, run)
  )();
});

/** As PostgreSQL has it for a connection that it has not noticed to be gone. */
async function takeWhenFree(url: string, name: string): Promise<() => Promise<void>> {
  const ghost = new Client({ connectionString: url });
  await ghost.connect();
  await ghost.query(
    `select pg_advisory_lock(hashtextextended('frctl held ' || current_schema() || ' ' || $1, 0))`,
    [name],
  );
  return () => ghost.end();
}

test('a name whose lock another connection has for a while is taken again after it', async () => {
  const url = await newDatabase();
  const there = memberOf(url);
  const release = await there.hold('run-0000abcd');
  onTestFinished(() => release?.());
  const [held] = await inServer(url, HOLDERS);
  const taken = takeWhenFree(url, 'run-0000abcd');
  await inServer(url, `select pg_terminate_backend(${String(held?.pid)})`);
  const letGo = await taken;
  // Long enough that it was tried in vain.
  await new Promise((resolve) => setTimeout(resolve, 1200));
  await letGo();
  while (!(await there.isHeld('run-0000abcd'))) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await there.isHeld('run-0000abcd')).toBe(true);
});

const HOLDERS = `select pid from pg_locks join pg_database d on d.oid = database
  where locktype = 'advisory' and granted and datname = current_database()`;

test("whoever looks whether a name is held is in nobody's way", async () => {
  const url = await newDatabase();
  const lookers = [1, 2, 3, 4].map(() => memberOf(url));
  const looks = lookers.flatMap((looker) => Array.from({ length: 50 }, () => looker.isHeld('run')));
  expect(new Set(await Promise.all(looks))).toEqual(new Set([false]));
});

test('a leave that the database does not take back ends the session with what it says', async () => {
  const url = await newDatabase();
  const team = memberOf(url);
  const told: unknown[] = [];
  const sleep = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal });
  const limiter = createSharedLimiter({
    own: createLimiter({ concurrency: 2, now: () => performance.now(), sleep }),
    rateLimit: team.rateLimit('m', { concurrency: 2 }),
    newId: () => 'one',
    sleep,
    onFailure: (cause) => void told.push(cause),
  });
  const slot = await limiter.acquire(new AbortController().signal);
  await inServer(url, 'drop table frctl_request cascade');
  slot?.release();
  await expect.poll(() => told).toEqual([expect.objectContaining({ code: 'STORAGE_FAILED' })]);
});
