import { expect, test } from 'vitest';

import { openDatabase } from '../../../src/features/teams/postgres/database.js';
import { PLAN_EVENTS } from '../../../src/features/teams/postgres/event-table.js';
import { readEventRows } from '../../../src/features/teams/postgres/read-event-rows.js';
import { beginPlanReading, readRow } from '../../../src/features/teams/postgres/plan-reading.js';
import { createSnapshots } from '../../../src/features/teams/postgres/snapshot.js';
import { inServer, newDatabase } from '../../support/postgres.js';
import { newPostgresStore } from '../../support/postgres-stores.js';
import { creationOf, expansionOf } from '../../support/store-contract.js';

const PLAN = '0398a958';

test('a snapshot that would be too long is not written: the log alone says what the plan is', async () => {
  const url = await newDatabase();
  const store = await newPostgresStore(url);
  await store.create(creationOf(PLAN), [expansionOf(`${PLAN}-root`, [`${PLAN}-a`, `${PLAN}-b`])]);
  const database = openDatabase(url);
  let reading = beginPlanReading();
  for await (const page of readEventRows(database, PLAN_EVENTS, PLAN))
    for (const row of page) reading = readRow(reading, row);
  const kept = () =>
    inServer(url, `select snapshot is not null as there, snapshot_seq::int as seq from frctl_plan`);
  const options = { database, planId: PLAN, now: Date.now, size: 0 };
  const short = createSnapshots({ ...options, longest: 300 });
  for (const when of ['now', 'cheaply', 'when_due'] as const)
    expect((await short.publish(reading, when)).lag).toBeNull();
  expect(await kept()).toEqual([{ there: false, seq: null }]);
  expect((await store.list()).plans).toMatchObject([{ id: PLAN, total_goals: 3 }]);
  expect((await store.open(PLAN)).plan.counts.total).toBe(3);
  await createSnapshots(options).publish(reading, 'now');
  expect(await kept()).toEqual([{ there: true, seq: 2 }]);
});
