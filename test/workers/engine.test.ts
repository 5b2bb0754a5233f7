import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { prepareEngine, startEngine } from '../../src/storage/workers/engine.js';
import { inServer, newDatabase } from '../support/postgres.js';

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
