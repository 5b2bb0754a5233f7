import { crc32 } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { createPostgresMaintenance } from '../../../src/features/teams/postgres/postgres-maintenance.js';
import { openDatabase } from '../../../src/features/teams/postgres/database.js';
import { inServer, newDatabase } from '../../support/postgres.js';
import { newPostgresStore } from '../../support/postgres-stores.js';
import { newStamp } from '../../support/stores.js';
import { creationOf, expansionOf } from '../../support/store-contract.js';

const PLAN = '0398a958';

/** A store as a process finds it that was started after another has made it. */
async function madeThenChanged(change: string) {
  const url = await newDatabase();
  const log = await (
    await newPostgresStore(url)
  ).create(creationOf(PLAN), [expansionOf(`${PLAN}-root`, [`${PLAN}-a`])]);
  await log.publish('now');
  await inServer(url, change);
  await openDatabase(url).close();
  return { url, store: await newPostgresStore(url) };
}

describe('two versions of frctl on one database', () => {
  test('tables that a newer one has changed beyond this one are refused, and left alone', async () => {
    const { url, store } = await madeThenChanged('update frctl_schema set version = 99, oldest = 99');
    for (const attempt of [
      () => store.ids(),
      () => store.open(PLAN),
      () => store.create(creationOf('11111111')),
    ])
      await expect(attempt()).rejects.toMatchObject({
        code: 'UNSUPPORTED_VERSION',
        message: expect.stringContaining('version 99') as string,
      });
    expect(await inServer(url, 'select version from frctl_schema')).toEqual([{ version: 99 }]);
  });

  test('tables that a newer one has changed so that this one can go on are used', async () => {
    const { store } = await madeThenChanged(
      'update frctl_schema set version = 99; alter table frctl_plan add column more text',
    );
    const log = await store.open(PLAN);
    expect((await log.append([{ type: 'goal_completed', goal: `${PLAN}-a` }]))[0]?.refused).toBeNull();
  });

  test('an event of a newer one is passed over, kept, and hidden by no snapshot', async () => {
    const body = `{"id":"newer","at":"2030-01-01T00:00:00.000Z","by":"x","replica":"pg-newer","clock":50,"type":"goal_sung","goal":"${PLAN}-a"`;
    const line = `${body},"crc":"${crc32(body).toString(16).padStart(8, '0')}"}`;
    const { url, store } = await madeThenChanged(
      `update frctl_plan set seq = 3; insert into frctl_event values ('${PLAN}', 3, 'newer', '${line}')`,
    );
    const log = await store.open(PLAN);
    expect(log.damage).toMatchObject([{ kind: 'unknown', line: 3 }]);
    const [done] = await log.append([{ type: 'goal_completed', goal: `${PLAN}-a` }]);
    expect(done?.refused).toBeNull();
    // Whoever knows the event sees what was written here after it.
    expect(done?.event.clock).toBeGreaterThan(50);
    await log.publish('now');
    expect((await store.open(PLAN)).damage).toHaveLength(1);
    expect(await inServer(url, `select body::text from frctl_event where seq = 3`)).toEqual([{ body: line }]);
    const found: string[] = [];
    for await (const { diagnoses } of createPostgresMaintenance(url, store, newStamp()).examine())
      found.push(...diagnoses.map(({ code }) => code));
    expect(found).toEqual(['UNKNOWN_EVENT']);
  });

  test('many processes that find an empty database make its tables once', async () => {
    const url = await newDatabase();
    const stores = await Promise.all(
      Array.from({ length: 8 }, (_, index) => newPostgresStore(`${url}?application_name=p${index}`)),
    );
    const made = await Promise.allSettled(stores.map((store) => store.create(creationOf(PLAN))));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await inServer(url, 'select count(*)::int from frctl_schema')).toEqual([{ count: 1 }]);
  });
});

test('a damaged event is found, and costs no other', async () => {
  const { url, store } = await madeThenChanged(
    `update frctl_event set body = replace(body::text, '${PLAN}-a', '${PLAN}-b')::json where seq = 2`,
  );
  expect(await store.findDamage(PLAN, 'checksums')).toMatchObject([{ kind: 'damaged', line: 2 }]);
  const found: string[] = [];
  for await (const { diagnoses } of createPostgresMaintenance(url, store, newStamp()).examine())
    found.push(...diagnoses.map(({ code }) => code));
  expect(found).toEqual(['DAMAGED_EVENT']);
});

test('a database in another encoding is refused before anything is made', async () => {
  const url = new URL(await newDatabase());
  const name = `${url.pathname.slice(1)}_latin`;
  await inServer(
    url.href,
    `create database ${name} template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'`,
  );
  const latin = new URL(url);
  latin.pathname = `/${name}`;
  const store = await newPostgresStore(latin.href);
  await expect(store.ids()).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  await inServer(url.href, `drop database ${name} with (force)`);
});
