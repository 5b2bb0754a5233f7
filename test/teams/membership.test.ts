import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { openDatabase } from '../../src/features/teams/postgres/database.js';
import { prepareEngine } from '../../src/features/teams/workers/engine.js';
import { joinTeam } from '../../src/features/teams/workers/membership.js';
import type { Membership } from '../../src/features/teams/workers/membership.js';
import { inServer, newDatabase } from '../support/postgres.js';
import { newLosingProxy } from '../support/postgres/losing-proxy.js';

let processes = 0;

async function joined(url: string): Promise<{ readonly member: Membership; readonly lost: string[] }> {
  const lost: string[] = [];
  const member = await joinTeam({
    database: openDatabase(url),
    newProcess: () => `member${(processes += 1)}`,
    about: { host: 'h', pid: 1, version: 'test' },
    onLost: (why) => lost.push(why),
  });
  onTestFinished(() => member.end());
  return { member, lost };
}

/** Who is dead is given up in the tables of the engine too. */
async function preparedEngine(url: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 });
  pool.on('error', () => undefined);
  await prepareEngine(pool);
  await pool.end();
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Ends the connections that hold locks, as a server that restarts does. */
const cutMembers = (url: string) =>
  inServer(
    url,
    `select pg_terminate_backend(pid) from pg_locks join pg_database d on d.oid = database
     where locktype = 'advisory' and datname = current_database()`,
  );

const poolsIn = (url: string) => inServer(url, 'select process, pool from frctl_worker order by pool');

const HELD_JOBS = 'select locked_by from graphile_worker._private_jobs where locked_by is not null';

/** A job of the plans that a pool of the engine has in hand. */
async function heldBy(url: string, pool: string): Promise<void> {
  await inServer(
    url,
    `select graphile_worker.add_job('frctl_goal public'), graphile_worker.add_job('frctl_run public')`,
  );
  await inServer(url, `update graphile_worker._private_jobs set locked_by = '${pool}', locked_at = now()`);
}

test('a member keeps what it had in hand when the answer to its new name is lost', async () => {
  const url = await newDatabase();
  const proxy = await newLosingProxy(url);
  const { member, lost } = await joined(proxy.url);
  await member.own('pool');
  const before = member.process;
  proxy.loseAnswerTo('update frctl_held');
  await cutMembers(url);
  await until(() => member.process !== before);
  await until(async () => (await poolsIn(url))[0]?.process === member.process);
  // A second try would tell within this time.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(proxy.lost()).toBe(1);
  expect(lost).toEqual([]);
  expect(await poolsIn(url)).toEqual([{ process: member.process, pool: 'pool' }]);
});

test('a member whose new name cannot be written down tries again until it can', async () => {
  const url = await newDatabase();
  const { member, lost } = await joined(url);
  await member.own('pool');
  const before = member.process;
  await inServer(url, 'alter table frctl_held rename to frctl_away');
  const tried = processes;
  await cutMembers(url);
  await until(() => processes > tried);
  await new Promise((resolve) => setTimeout(resolve, 600));
  await inServer(url, 'alter table frctl_away rename to frctl_held');
  await until(() => member.process !== before);
  await until(async () => (await poolsIn(url))[0]?.process === member.process);
  expect(lost).toEqual([]);
});

test('a pool is noted under the name that its member has in the end, and what the one before it held is free', async () => {
  const url = await newDatabase();
  await preparedEngine(url);
  const { member } = await joined(url);
  const before = member.process;
  await inServer(url, `insert into frctl_worker values ('${before}', 'other', 'h', 1, 'test')`);
  await heldBy(url, 'other');
  await cutMembers(url);
  await until(() => member.process !== before);
  await inServer(url, `insert into frctl_worker values ('${before}', 'pool', 'h', 1, 'test')`);
  await member.own('pool');
  expect(await poolsIn(url)).toEqual([{ process: member.process, pool: 'pool' }]);
  expect(await inServer(url, HELD_JOBS)).toEqual([]);
});

test('what a statement has taken that came when its sender had gone is freed, and what it may have cost is charged', async () => {
  const url = await newDatabase();
  await preparedEngine(url);
  const { member } = await joined(url);
  await member.own('pool');
  await heldBy(url, 'gone');
  await inServer(url, `select graphile_worker.add_job('another')`);
  await inServer(
    url,
    `update graphile_worker._private_jobs j set locked_by = 'stranger', locked_at = now()
     from graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = 'another'`,
  );
  await inServer(url, `insert into frctl_planning (plan, run, held_calls) values ('p', 'r', 1)`);
  await inServer(url, `insert into frctl_held values ('late', 'gone', 'p', 1, 10, 0.5)`);
  await inServer(url, `insert into frctl_model (model, under_way) values ('m', 1)`);
  await inServer(url, `insert into frctl_request values ('late', 'gone', 'm')`);
  // Jobs of other programs in the same database are their own affair.
  await until(async () => (await inServer(url, HELD_JOBS)).length === 1);
  expect(await inServer(url, HELD_JOBS)).toEqual([{ locked_by: 'stranger' }]);
  await until(async () => (await inServer(url, 'select from frctl_held')).length === 0);
  expect(await inServer(url, 'select calls, held_calls from frctl_planning')).toEqual([
    { calls: 1, held_calls: 0 },
  ]);
  expect(await inServer(url, 'select under_way from frctl_model')).toEqual([{ under_way: 0 }]);
});

test('a member that is back gives the others time to be back before it takes them for dead', async () => {
  const url = await newDatabase();
  await preparedEngine(url);
  const { member } = await joined(url);
  await until(() => member.leads);
  const before = member.process;
  await inServer(url, `insert into frctl_worker values ('late', 'pool', 'h', 1, 'test')`);
  const begun = performance.now();
  await cutMembers(url);
  await until(() => member.process !== before);
  await until(async () => (await poolsIn(url)).length === 0);
  // At least so long: a busy machine makes it longer, never shorter.
  expect(performance.now() - begun).toBeGreaterThan(2000);
});
