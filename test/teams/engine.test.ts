import { setTimeout } from 'node:timers/promises';

import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { prepareEngine, startEngine } from '../../src/features/teams/workers/engine.js';
import { TEAM } from '../../src/features/teams/parts.js';
import { inServer, newDatabase } from '../support/postgres.js';
import { machineOf } from '../support/teams.js';

test('a pool whose name could not be written down at first takes jobs once it could', async () => {
  const url = await newDatabase();
  const pool = new Pool({ connectionString: url, max: 4 });
  onTestFinished(() => pool.end());
  await prepareEngine(pool);
  await inServer(url, `select graphile_worker.add_job('greet', '{"name":"a"}')`);
  const over = new AbortController();
  const names: string[] = [];
  const done = new Promise<unknown>((resolve) => {
    const engine = startEngine({
      pool,
      concurrency: 1,
      signal: over.signal,
      tasks: { greet: async (payload) => resolve(payload) },
      own: async (name) => {
        names.push(name);
        if (names.length === 1) throw new Error('the database is away');
      },
    });
    onTestFinished(async () => {
      over.abort();
      await engine.done;
    });
  });
  expect(await done).toEqual({ name: 'a' });
  expect(names).toEqual([names[0], names[0]]);
});

test('while what came of a job is stored another takes its place, and a place is taken once', async () => {
  const url = await newDatabase();
  const pool = new Pool({ connectionString: url, max: 4 });
  onTestFinished(() => pool.end());
  await prepareEngine(pool);
  await inServer(url, `select graphile_worker.add_job('store') from generate_series(1, 6)`);
  const over = new AbortController();
  const begun: { readonly ending: () => void; readonly end: () => void }[] = [];
  const engine = startEngine({
    pool,
    concurrency: 2,
    signal: over.signal,
    tasks: { store: (_, ending) => new Promise((resolve) => begun.push({ ending, end: () => resolve() })) },
    own: async () => undefined,
  });
  onTestFinished(async () => {
    over.abort();
    for (const { end } of begun) end();
    await engine.done;
  });
  const reaches = async (count: number) => {
    while (begun.length < count) await setTimeout(10);
  };
  await reaches(2);
  begun[0]?.ending();
  begun[0]?.ending();
  await reaches(3);
  // Longer than a look takes.
  await setTimeout(300);
  expect(begun).toHaveLength(3);
  begun[0]?.end();
  await setTimeout(300);
  expect(begun).toHaveLength(3);
  begun[1]?.end();
  await reaches(4);
  begun[2]?.ending();
  begun[3]?.ending();
  await reaches(6);
});

test('a pool that ends while all its places are taken ends', async () => {
  const url = await newDatabase();
  const pool = new Pool({ connectionString: url, max: 4 });
  onTestFinished(() => pool.end());
  await prepareEngine(pool);
  await inServer(url, `select graphile_worker.add_job('store')`);
  const over = new AbortController();
  let done: Promise<void> = Promise.resolve();
  const end = await new Promise<() => void>((resolve) => {
    const engine = startEngine({
      pool,
      concurrency: 1,
      signal: over.signal,
      tasks: { store: () => new Promise((settle) => resolve(() => settle())) },
      own: async () => undefined,
    });
    ({ done } = engine);
  });
  over.abort();
  end();
  await expect(done).resolves.toBeUndefined();
});

test('many that prepare an empty database at once make its tables once', async () => {
  const url = await newDatabase();
  const prepared = Array.from({ length: 6 }, async () => (await machineOf(url).partIfAny(TEAM))?.prepare());
  await expect(Promise.all(prepared)).resolves.toHaveLength(6);
});
