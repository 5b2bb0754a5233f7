import { describe, expect, onTestFinished, test } from 'vitest';

import { createPostgresStore } from '../../../src/features/teams/postgres/postgres-store.js';
import { inServer, newDatabase } from '../../support/postgres.js';
import { newLosingProxy } from '../../support/postgres/losing-proxy.js';
import { hasPgbouncer, newPgbouncer } from '../../support/postgres/pgbouncer.js';
import { newPostgresServer } from '../../support/postgres/server.js';
import { newPostgresStore } from '../../support/postgres-stores.js';
import { creationOf, expansionOf } from '../../support/store-contract.js';
import { newStamp } from '../../support/stores.js';

const PLAN = '0398a958';
const editOf = (number: number) =>
  ({ type: 'goal_edited', goal: `${PLAN}-a`, fields: { description: `Do it ${number}` } }) as const;

describe('an answer that is lost on the way', () => {
  test('costs no event and doubles none', async () => {
    const url = await newDatabase();
    const proxy = await newLosingProxy(url);
    const store = await newPostgresStore(proxy.url);
    const log = await store.create(creationOf(PLAN), [expansionOf(`${PLAN}-root`, [`${PLAN}-a`])]);
    for (let number = 1; number <= 5; number += 1) {
      proxy.loseAnswerTo('insert into frctl_event');
      const outcomes = await log.append([editOf(number), editOf(number + 100)]);
      expect(outcomes.map(({ refused }) => refused)).toEqual([null, null]);
    }
    proxy.loseAnswerTo('insert into frctl_plan');
    await store.create(creationOf('11111111'));
    proxy.loseAnswerTo('delete from frctl_plan');
    await store.purge('11111111');
    expect(proxy.lost()).toBe(7);
    const other = await (await newPostgresStore(url)).open(PLAN, 'log');
    expect(await other.events()).toHaveLength(12);
    expect(other.plan.goals.get(`${PLAN}-a`)?.description).toBe('Do it 105');
    expect(await store.ids()).toEqual([PLAN]);
  });
});

test('PostgreSQL is restarted in the middle: what was acknowledged is there once, and work goes on', async () => {
  const server = await newPostgresServer();
  onTestFinished(() => server.remove());
  const store = createPostgresStore({ url: server.url, stamp: newStamp(), now: Date.now });
  const goals = Array.from({ length: 120 }, (_, index) => `${PLAN}-g${index}`);
  await store.create(creationOf(PLAN), [expansionOf(`${PLAN}-root`, goals)]);
  const restarts = (async () => {
    for (let times = 0; times < 2; times += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await server.stop();
      await server.start();
    }
  })();
  const workers = Array.from({ length: 4 }, async (_, worker) => {
    const log = await store.open(PLAN);
    const mine = goals.filter((_goal, index) => index % 4 === worker);
    for (const goal of mine) {
      const [outcome] = await log.append([{ type: 'goal_completed', goal }]);
      expect(outcome?.refused).toBeNull();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  await Promise.all([restarts, ...workers]);
  const log = await store.open(PLAN, 'log');
  expect(log.plan.counts.complete).toBe(120);
  expect((await log.events()).filter(({ type }) => type === 'goal_completed')).toHaveLength(120);
});

describe.skipIf(!hasPgbouncer)('a connection pooler', () => {
  test('that hands out connections by transaction is refused, and the cure named', async () => {
    const url = await newDatabase();
    const store = await newPostgresStore(await newPgbouncer(url, 'transaction'));
    await expect(store.ids()).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('pooler') as string,
      hint: expect.stringContaining('pool_mode = session') as string,
    });
    expect(await inServer(url, `select to_regclass('frctl_plan') as made`)).toEqual([{ made: null }]);
  });

  test('that hands them out by session will do', async () => {
    const store = await newPostgresStore(await newPgbouncer(await newDatabase(), 'session'));
    await store.create(creationOf(PLAN));
    expect(await store.ids()).toEqual([PLAN]);
  });
});

test('whoever listens is told again after his connection was cut', async () => {
  const url = await newDatabase();
  const store = await newPostgresStore(url);
  const log = await store.create(creationOf(PLAN), [expansionOf(`${PLAN}-root`, [`${PLAN}-a`])]);
  let wake = (_change: string) => {};
  const told = (wanted: string) =>
    new Promise<void>((resolve) => {
      wake = (change) => {
        if (change === wanted) resolve();
      };
    });
  const listening = told('any');
  const stop = store.subscribe((change) => wake(change.kind));
  onTestFinished(stop);
  await listening;
  const heard = told('plan');
  await log.append([editOf(1)]);
  await heard;
  const again = told('any');
  await inServer(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()`,
  );
  await again;
  // Told every second until it listens again; then of the plan itself.
  const known = told('plan');
  let isKnown = false;
  for (let number = 2; !isKnown; number += 1) {
    await log.append([editOf(number)]);
    isKnown = await Promise.race([
      known.then(() => true),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 200)),
    ]);
  }
  expect(isKnown).toBe(true);
});
