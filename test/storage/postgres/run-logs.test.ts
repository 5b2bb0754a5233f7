import { expect, onTestFinished, test } from 'vitest';

import { createPostgresRunStore } from '../../../src/storage/postgres/postgres-run-store.js';
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
