import { expect, test } from 'vitest';

import { openDatabase } from '../../../src/features/teams/postgres/database.js';
import { PLAN_EVENTS } from '../../../src/features/teams/postgres/event-table.js';
import { readEventRows } from '../../../src/features/teams/postgres/read-event-rows.js';
import { inServer, newDatabase } from '../../support/postgres.js';
import { newPostgresStore } from '../../support/postgres-stores.js';
import { creationOf, expansionOf } from '../../support/store-contract.js';

const PLAN = '0398a958';
const MEGABYTE = 1024 * 1024;

test('no page of a log is much larger than is meant, also the first, and none is left out', async () => {
  const database = openDatabase(await newDatabase());
  await database.query(`insert into frctl_plan (id, seq, summary) values ('p', 400, '{}')`);
  await database.query(
    `insert into frctl_event (plan, seq, id, body)
     select 'p', seq, 'e' || seq, json_build_object('text', repeat('x', 100000)) from generate_series(1, 400) seq`,
  );
  const lengths: number[] = [];
  const places: number[] = [];
  for await (const page of readEventRows(database, PLAN_EVENTS, 'p')) {
    lengths.push(page.reduce((sum, { body }) => sum + (body?.length ?? 0), 0));
    places.push(...page.map(({ seq }) => seq));
  }
  expect(Math.max(...lengths)).toBeLessThan(17 * MEGABYTE);
  expect(places).toEqual(Array.from({ length: 400 }, (_, index) => index + 1));
});

test('a row that some other table has already does not make a plan one that is not there', async () => {
  const url = await newDatabase();
  const store = await newPostgresStore(url);
  const log = await store.create(creationOf(PLAN), [expansionOf(`${PLAN}-root`, [`${PLAN}-a`])]);
  await inServer(
    url,
    `create table names (name text unique); insert into names values ('taken');
     create function take() returns trigger language plpgsql as $$ begin
       insert into names values ('taken'); return new; end $$;
     create trigger take before insert on frctl_event for each row execute function take()`,
  );
  const appended = log.append([{ type: 'goal_completed', goal: `${PLAN}-a` }]);
  await expect(appended).rejects.toMatchObject({
    code: 'STORAGE_FAILED',
    details: { constraint: 'names_name_key' },
  });
});
