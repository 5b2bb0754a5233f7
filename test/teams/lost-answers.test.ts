import { setTimeout } from 'node:timers/promises';

import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { prepareEngine, startEngine } from '../../src/features/teams/workers/engine.js';
import type { EngineOptions } from '../../src/features/teams/workers/engine.js';
import { createTakenJobs } from '../../src/features/teams/workers/taken-jobs.js';
import { inServer, newDatabase } from '../support/postgres.js';
import { newLosingProxy } from '../support/postgres/losing-proxy.js';

/** A database whose network loses answers, and its engine, which begins by `start` and ends with the test. */
async function farEngine(concurrency: number) {
  const url = await newDatabase();
  const proxy = await newLosingProxy(url);
  const pool = new Pool({ connectionString: proxy.url, max: 5 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  onTestFinished(() => pool.end());
  await prepareEngine(pool);
  const over = new AbortController();
  const start = (tasks: EngineOptions['tasks']) => {
    const engine = startEngine({
      pool,
      concurrency,
      signal: over.signal,
      tasks,
      own: async () => undefined,
    });
    onTestFinished(async () => {
      over.abort();
      await engine.done;
    });
  };
  const add = (name: string) =>
    inServer(url, `select graphile_worker.add_job('store', '"${name}"', job_key => '${name}')`);
  return { url, proxy, add, start };
}

/** How many jobs of a name there are. */
async function jobsOf(url: string, name: string): Promise<number> {
  return (await inServer(url, `select from graphile_worker._private_jobs where key = '${name}'`)).length;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(20);
}

test('a job is done though the answer that brought it was lost, and none that is on its way or in hand is taken twice', async () => {
  const { url, proxy, add, start } = await farEngine(2);
  await add('a');
  await add('b');
  const attempts: unknown[] = [];
  proxy.loseAnswerTo('get_job/');
  const release = proxy.holdAnswerTo('get_job/');
  start({
    async store(name) {
      const sql = `select '${String(name)}' as name, attempts from graphile_worker._private_jobs where key = '${String(name)}'`;
      attempts.push(...(await inServer(url, sql)));
      // The first is in hand while it is looked for what else is held.
      await until(() => attempts.length === 2);
    },
  });
  // Longer than it takes until it is looked twice for what is held.
  await setTimeout(2500);
  expect(attempts).toEqual([]);
  release();
  await until(() => attempts.length === 2);
  expect(proxy.lost()).toBe(1);
  expect(attempts).toMatchObject([{ attempts: 1 }, { attempts: 2 }]);
  await until(async () => (await jobsOf(url, 'a')) + (await jobsOf(url, 'b')) === 0);
  expect(attempts).toHaveLength(2);
});

test('jobs are taken when the answer was lost that one is done, and others were done before its pool had ended', async () => {
  const { url, proxy, add, start } = await farEngine(4);
  const begun = new Map<unknown, () => void>();
  start({ store: (name) => new Promise((resolve) => begun.set(name, resolve)) });
  for (const name of ['a', 'b', 'c', 'd']) await add(name);
  await until(() => begun.size === 4);
  proxy.loseAnswerTo('complete_job/');
  for (const name of ['a', 'b', 'c', 'd']) {
    begun.get(name)?.();
    await until(async () => (await jobsOf(url, name)) === 0);
    if (name === 'a') await until(() => proxy.lost() === 1);
  }
  await add('e');
  await until(() => begun.has('e'));
  begun.get('e')?.();
  await until(async () => (await jobsOf(url, 'e')) === 0);
  expect(begun.size).toBe(5);
});

test('jobs are taken when the answer to the first statement of a pool was lost', async () => {
  const { url, proxy, add, start } = await farEngine(2);
  await add('a');
  proxy.loseAnswerTo('_private_tasks');
  start({ store: async () => undefined });
  await until(async () => (await jobsOf(url, 'a')) === 0);
  expect(proxy.lost()).toBe(1);
});

test('what no answer can bring any more is lost', () => {
  const taken = createTakenJobs();
  const [first, second, third] = [{}, {}, {}];
  const held = ['1', '2'].map((id) => ({ id, locked_at: new Date(0) }));
  const [one, two] = held;
  taken.asks(first);
  taken.asks(second);
  const unknown = (jobs = held) => taken.compare()(jobs);
  expect(unknown()).toEqual({ lost: [], isUnsure: true });
  taken.gets(first, null);
  // It was sent too late to bring what was held before it.
  taken.asks(third);
  expect(unknown()).toEqual({ lost: [], isUnsure: true });
  taken.gets(second, two ?? null);
  expect(unknown()).toEqual({ lost: [one], isUnsure: false });
  if (two !== undefined) taken.ends(two);
  expect(unknown([])).toEqual({ lost: [], isUnsure: false });
  // The same job, taken at another time.
  const again = { id: '2', locked_at: new Date(1) };
  taken.gets(third, null);
  expect(unknown([again])).toEqual({ lost: [again], isUnsure: false });
});
