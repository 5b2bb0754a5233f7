import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { openDatabase } from '../../src/storage/postgres/database.js';
import { prepareEngine } from '../../src/storage/workers/engine.js';
import { joinTeam } from '../../src/storage/workers/membership.js';
import type { Membership } from '../../src/storage/workers/membership.js';
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

test('a pool is noted under the name that its member has in the end', async () => {
  const url = await newDatabase();
  const { member } = await joined(url);
  const before = member.process;
  await inServer(url, `insert into frctl_worker values ('${before}', 'other', 'h', 1, 'test')`);
  await cutMembers(url);
  await until(() => member.process !== before);
  await inServer(url, `insert into frctl_worker values ('${before}', 'pool', 'h', 1, 'test')`);
  await member.own('pool');
  expect(await poolsIn(url)).toEqual([
    { process: member.process, pool: 'other' },
    { process: member.process, pool: 'pool' },
  ]);
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
