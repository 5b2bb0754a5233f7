import { setTimeout as wait } from 'node:timers/promises';

import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { openDatabase } from '../../../src/features/teams/postgres/database.js';
import { listenForChanges } from '../../../src/features/teams/postgres/listen.js';
import { refuseTransactionPooling } from '../../../src/features/teams/postgres/pooler.js';
import { inServer, newDatabase } from '../../support/postgres.js';

async function connectionsTo(url: string): Promise<number> {
  const [row] = await inServer(
    url,
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  return Number(row?.count);
}

test('whoever cannot listen keeps no connection of his tries, and listens once he can', async () => {
  const url = await newDatabase();
  const database = openDatabase(url);
  const tries: Client[] = [];
  const connect: typeof database.connect = (prepare) =>
    database.connect(async (client) => {
      tries.push(client);
      // PostgreSQL refuses whatever comes after an error in a transaction.
      if (tries.length <= 2) await client.query('begin; select 1 / 0').catch(() => undefined);
      await prepare?.(client);
    });
  onTestFinished(listenForChanges({ connect }, () => undefined));
  while (tries.length < 3) await wait(20);
  while ((await connectionsTo(url)) > 1) await wait(20);
  expect(tries).toHaveLength(3);
  expect(await inServer(url, LISTENING)).toEqual([{ count: 1 }]);
});

const LISTENING = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and query like 'listen frctl%'`;

test('a connection that comes too late to look at a pooler with is ended', async () => {
  const url = await newDatabase();
  const first = new Client({ connectionString: url });
  await first.connect();
  onTestFinished(() => first.end());
  const connect = async () => {
    await wait(3500);
    const client = new Client({ connectionString: url });
    await client.connect();
    return client;
  };
  const late = connect();
  await expect(refuseTransactionPooling(first, () => late, 'here')).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
  });
  await late;
  while ((await connectionsTo(url)) > 1) await wait(20);
  expect(await connectionsTo(url)).toBe(1);
});
