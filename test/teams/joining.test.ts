import { setTimeout as wait } from 'node:timers/promises';

import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { openDatabase } from '../../src/features/teams/postgres/database.js';
import type { Database } from '../../src/features/teams/postgres/database.js';
import type { TeamWork } from '../../src/features/teams/team.js';
import { listenForClosings } from '../../src/features/teams/workers/model-backoff.js';
import { joinTeam } from '../../src/features/teams/workers/membership.js';
import { createTeam } from '../../src/features/teams/workers/postgres-team.js';
import { workForTeam } from '../../src/features/teams/workers/work-for-team.js';
import { inServer, newDatabase } from '../support/postgres.js';
import { newLosingProxy } from '../support/postgres/losing-proxy.js';

let processes = 0;
const newProcess = () => `joining${(processes += 1)}`;
const about = { host: 'h', pid: 1, version: 'test' };

/** What a member does that has nothing to do. */
function idle(signal: AbortSignal): TeamWork {
  return {
    concurrency: 1,
    signal,
    handle: async () => undefined,
    carryOut: async () => undefined,
    avoided: () => [],
    sweep: async () => undefined,
    notice: () => undefined,
  };
}

/** Works as a member until the test is over. */
async function working(database: Database, work: Partial<TeamWork> = {}): Promise<void> {
  const team = createTeam({ database, newProcess, about });
  await team.prepare();
  const over = new AbortController();
  const done = team.work({ ...idle(over.signal), ...work });
  onTestFinished(async () => {
    over.abort();
    await done;
  });
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await wait(20);
}

const cutMembers = (url: string) =>
  inServer(
    url,
    `select pg_terminate_backend(pid) from pg_locks join pg_database d on d.oid = database
     where locktype = 'advisory' and datname = current_database()`,
  );

/** What connections to a database have done last, but for the one that asks. */
async function connectionsTo(url: string, like: string): Promise<number> {
  const [row] = await inServer(
    url,
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query like '${like}'`,
  );
  return Number(row?.count);
}

test('a job that a pool of the engine has kept when it ended is free again while the process lives', async () => {
  const url = await newDatabase();
  const done: string[] = [];
  const signal = new AbortController();
  let stuck: (() => void) | null = null;
  await working(openDatabase(url), {
    signal: signal.signal,
    async handle({ goal }) {
      done.push(goal);
      if (goal === 'first') await new Promise<void>((resolve) => (stuck = resolve));
    },
  });
  onTestFinished(() => signal.abort());
  const team = createTeam({ database: openDatabase(url), newProcess, about });
  await team.offer([{ plan: 'p', goal: 'first', turn: 0 }]);
  await until(() => stuck !== null);
  // What the engine could not tell the database while that was away: the job is its pool's still.
  await inServer(
    url,
    `select graphile_worker.add_job('frctl_goal public', '{"plan":"p","goal":"kept","turn":0}', job_key => 'kept', run_at => now() + interval '1 hour')`,
  );
  await inServer(
    url,
    `update graphile_worker._private_jobs set run_at = now(), locked_at = now(),
       locked_by = (select pool from frctl_worker) where key = 'kept'`,
  );
  // Its pool ends, as it does when the others have taken the process for dead.
  await inServer(url, 'delete from frctl_worker');
  await cutMembers(url);
  (stuck as (() => void) | null)?.();
  await until(() => done.includes('kept'));
  // The pool that did it is told to the others, at the latest a little afterwards.
  const pools = () => inServer(url, 'select pool from frctl_worker');
  await until(async () => (await pools()).length === 1);
  expect(done).toContain('kept');
});

test('a member that ends while it gets another name leaves nothing, and takes nobody for its murderer', async () => {
  const url = await newDatabase();
  await createTeam({ database: openDatabase(url), newProcess, about }).prepare();
  const lost: string[] = [];
  const member = await joinTeam({
    database: openDatabase(url),
    newProcess,
    about,
    onLost: (why) => lost.push(why),
  });
  await member.own('pool');
  const joined = processes;
  await cutMembers(url);
  await until(() => processes > joined);
  await member.end();
  await wait(300);
  expect(lost).toEqual([]);
  expect(
    await inServer(
      url,
      `select from pg_locks where locktype = 'advisory' and granted and
    database = (select oid from pg_database where datname = current_database())`,
    ),
  ).toEqual([]);
  expect(await inServer(url, 'select from frctl_worker')).toEqual([]);
});

test('what is written late under a former name of a member counts as its own', async () => {
  const url = await newDatabase();
  const member = await joinTeam({ database: openDatabase(url), newProcess, about, onLost: () => undefined });
  onTestFinished(() => member.end());
  const before = member.process;
  await member.own('pool');
  await cutMembers(url);
  await until(() => member.process !== before);
  await inServer(url, `insert into frctl_request values ('q', '${before}', 'm')`);
  const rows = () => inServer(url, 'select process from frctl_request');
  await until(async () => (await rows())[0]?.process === member.process);
  expect(await rows()).toEqual([{ process: member.process }]);
});

test('a sweep that fails again and again for one reason is told once', async () => {
  const notices: string[] = [];
  let sweeps = 0;
  await working(openDatabase(await newDatabase()), {
    async sweep() {
      sweeps += 1;
      throw new Error(sweeps < 3 ? 'no' : 'no longer');
    },
    notice: (message) => notices.push(message),
  });
  await until(() => sweeps >= 3);
  await wait(20);
  expect(notices).toEqual(['no', 'no longer']);
});

test('what was opened to work is closed when the rest of it cannot be opened', async () => {
  const url = await newDatabase();
  const database = openDatabase(url);
  await database.query('select 1');
  const work = (broken: Partial<Database>) =>
    workForTeam(idle(new AbortController().signal), {
      database: { ...database, ...broken },
      newProcess,
      about,
      closed: new Map(),
      onJoined: () => undefined,
    });
  await expect(work({ newPool: () => Promise.reject(new Error('no pool')) })).rejects.toThrow('no pool');
  let connections = 0;
  const once = async (): Promise<Client> => {
    connections += 1;
    if (connections > 1) throw new Error('no second connection');
    return database.connect();
  };
  await expect(work({ connect: once })).rejects.toThrow('no second connection');
  await until(async () => (await connectionsTo(url, 'listen%')) === 0);
  expect(await connectionsTo(url, '%advisory%')).toBe(0);
});

test('whoever listens for closings does so once, however often his connection breaks while he begins to', async () => {
  const url = await newDatabase();
  const proxy = await newLosingProxy(url);
  const stop = await listenForClosings(openDatabase(proxy.url), new Map());
  onTestFinished(stop);
  for (let times = 1; times <= 2; times += 1) {
    proxy.loseAnswerTo('listen frctl_model');
    await inServer(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where query like 'listen frctl_model%' and datname = current_database()`,
    );
    await until(() => proxy.lost() === times);
    await until(async () => (await connectionsTo(url, 'listen frctl_model%')) > 0);
  }
  await wait(1500);
  expect(await connectionsTo(url, 'listen frctl_model%')).toBe(1);
});

test('a job that is put off while it is in hand is done once more', async () => {
  const database = openDatabase(await newDatabase());
  const team = createTeam({ database, newProcess, about });
  await team.prepare();
  const job = { plan: 'a1b2c3d4', goal: 'a1b2c3d4-root', turn: 0 };
  await team.offer([job]);
  const over = new AbortController();
  let done = 0;
  const ended = team.work({
    ...idle(over.signal),
    handle: async (taken) => {
      expect(taken).toEqual(job);
      done += 1;
      if (done === 1) await team.putOff(job, 50);
    },
  });
  onTestFinished(async () => {
    over.abort();
    await ended;
  });
  await until(() => done === 2);
  await until(async () => (await team.jobsOf('a1b2c3d4')).inHand === 0);
  expect(await team.jobsOf('a1b2c3d4')).toMatchObject({ waiting: 0 });
});
