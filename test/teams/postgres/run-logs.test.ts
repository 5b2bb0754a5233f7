import { describe, expect, onTestFinished, test } from 'vitest';

import { wrongCodesOfRun } from '../../../src/features/runs/model/run.js';
import { createPostgresRunStore } from '../../../src/features/teams/runs/postgres-run-store.js';
import type { RunStore } from '../../../src/features/runs/storage/run-store.js';
import { cutProxyTo } from '../../support/cut-proxy.js';
import { inServer, newDatabase } from '../../support/postgres.js';
import { attemptOf, preparedWith, startedWith } from '../../support/runs.js';
import { newStamp } from '../../support/stores.js';

const RUN = 'run-0000abcd';
const PREPARED = preparedWith({ expires_at: '2999-01-01T00:00:00Z' });

test('what a run has just written is not fetched again, however long it is', async () => {
  const proxy = await cutProxyTo(await newDatabase());
  onTestFinished(() => proxy.close());
  const log = await createPostgresRunStore(proxy.url, newStamp()).create(PREPARED);
  const [started] = await log.append([startedWith()]);
  await log.append([attemptOf('a', 1, { executor: started?.event.id ?? '' })]);
  const before = proxy.received();
  const output = { text: 'x'.repeat(500_000) };
  await log.append([{ type: 'attempt_ended', step: 'a', attempt: 1, outcome: 'succeeded', output }]);
  expect(log.run.instances.get('a')?.state).toBe('succeeded');
  expect(proxy.received() - before).toBeLessThan(10_000);
});

test('damage in a row is told by its number, and a run whose first row is damaged is there, unreadable', async () => {
  const url = await newDatabase();
  const store = createPostgresRunStore(url, newStamp());
  const log = await store.create(PREPARED);
  await log.append([startedWith(), { type: 'code_refused' }]);
  const damage = (seq: number) =>
    inServer(url, `update frctl_run_event set body = '{"id":"damaged"}' where seq = ${seq}`);
  await damage(2);
  expect((await store.open(RUN)).damage).toMatchObject([{ place: 'event 2' }]);
  await damage(1);
  await expect(store.open(RUN)).rejects.toMatchObject({
    code: 'STORE_DAMAGED',
    message: expect.stringMatching(
      /what prepared the run cannot be read in postgres:.*run run-0000abcd/,
    ) as string,
  });
});

describe('the list of runs', () => {
  const made = async (count: number) => {
    const url = await newDatabase();
    const proxy = await cutProxyTo(url);
    onTestFinished(() => proxy.close());
    const store = createPostgresRunStore(proxy.url, newStamp());
    const runs = Array.from({ length: count }, (_, index) => `run-0000${String(index).padStart(4, '0')}`);
    for (const run of runs) await store.create({ ...PREPARED, run });
    return { url, proxy, store, runs };
  };
  const idsOf = async (store: RunStore) => (await store.list('open')).runs.map(({ id }) => id).toSorted();

  test('that are not over reads nothing of those that are, whichever frctl has ended them', async () => {
    const { url, proxy, store, runs } = await made(3);
    const [long = '', byOlder = '', open = ''] = runs;
    const log = await store.open(long);
    const reason = 'x'.repeat(300_000);
    await log.append([{ type: 'run_ended', outcome: 'aborted', reason }]);
    await (await store.open(byOlder)).append([{ type: 'run_ended', outcome: 'aborted', reason }]);
    expect(await idsOf(store)).toEqual([open]);
    const before = proxy.received();
    expect(await idsOf(store)).toEqual([open]);
    expect(proxy.received() - before).toBeLessThan(20_000);
    // As one leaves it that knows no such column.
    await inServer(url, 'update frctl_run set ended = default');
    expect(await idsOf(store)).toEqual([open]);
    expect((await store.list()).runs).toHaveLength(3);
  });

  test('asks the database a few times for many of them, also where they are long', async () => {
    const { proxy, store, runs } = await made(40);
    const [first = '', second = ''] = runs;
    for (const run of [first, second])
      await (await store.open(run)).append(Array.from({ length: 2500 }, () => ({ type: 'code_refused' })));
    const before = proxy.asked();
    const listed = await store.list('open');
    expect(listed.runs.map(({ id }) => id).toSorted()).toEqual(runs);
    const long = listed.runs.filter((run) => wrongCodesOfRun(run, undefined) === 2500);
    expect(long.map(({ id }) => id).toSorted()).toEqual([first, second]);
    expect(proxy.asked() - before).toBeLessThan(30);
  });

  test('names those that cannot be read, and no other for it', async () => {
    const { url, store, runs } = await made(3);
    await inServer(
      url,
      `update frctl_run_event set body = '{"id":"damaged"}' where run = '${runs[1] ?? ''}'`,
    );
    expect(await store.list()).toMatchObject({
      runs: [{ id: runs[2] }, { id: runs[0] }],
      problems: [{ run: runs[1], code: 'STORE_DAMAGED' }],
    });
  });
});
