import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { createFileRunStore } from '../../src/features/runs/storage/file/file-run-store.js';
import { createMemoryRunStore } from '../../src/features/runs/storage/memory-run-store.js';
import type { StoredRuns } from '../../src/features/runs/storage/memory-run-store.js';
import { createPostgresRunStore } from '../../src/features/teams/runs/postgres-run-store.js';
import type { RunStore } from '../../src/features/runs/storage/run-store.js';
import { temporaryFolder } from '../support/folders.js';
import { newDatabase } from '../support/postgres.js';
import { runStoreContract } from '../support/run-store-contract.js';
import { preparedWith, startedWith } from '../support/runs.js';

let number = 0;
const stamp = () => {
  number += 1;
  return { id: `event${number}`, at: new Date().toISOString(), by: 'me' };
};

runStoreContract('a store in memory', () => {
  const kept: StoredRuns = new Map();
  return { store: createMemoryRunStore(stamp, kept), open: () => createMemoryRunStore(stamp, kept) };
});
runStoreContract('a store in files', () => {
  const folder = temporaryFolder();
  return { store: createFileRunStore(folder, stamp), open: () => createFileRunStore(folder, stamp) };
});
runStoreContract('a store in PostgreSQL', async () => {
  const url = await newDatabase();
  return { store: createPostgresRunStore(url, stamp), open: () => createPostgresRunStore(url, stamp) };
});

const RUN = 'run-0000abcd';
const PREPARED = preparedWith({ expires_at: '2999-01-01T00:00:00Z' });
const made = async (): Promise<{ store: RunStore; folder: string; path: string }> => {
  const folder = temporaryFolder();
  const store = createFileRunStore(folder, stamp);
  await store.create(PREPARED);
  return { store, folder, path: join(folder, 'runs', `${RUN}.events.jsonl`) };
};

test.skipIf(process.platform === 'win32')(
  'what a run keeps is for the user, and for those who may write in the store',
  async () => {
    const modes = async (mode: number) => {
      const folder = temporaryFolder();
      chmodSync(folder, mode);
      const log = await createFileRunStore(folder, stamp).create(PREPARED);
      const value = await log.keep({ text: 'what only the user may read' });
      const overwritten = await log.keepBytes(Buffer.from('what only the user may read'));
      const modeOf = (...path: readonly string[]) => statSync(join(folder, 'runs', ...path)).mode & 0o777;
      return [modeOf(`${RUN}.events.jsonl`), modeOf(RUN, value), modeOf(RUN, overwritten)];
    };
    expect(await modes(0o755)).toEqual([0o600, 0o600, 0o600]);
    expect(await modes(0o770)).toEqual([0o660, 0o660, 0o600]);
    expect(await modes(0o777)).toEqual([0o666, 0o666, 0o600]);
  },
);

test('runs stay out of git, also in a store that was made before there were any', async () => {
  const { folder } = await made();
  expect(readFileSync(join(folder, 'runs', '.gitignore'), 'utf8')).toBe('*\n');
});

test('a line that a killed writer left is passed over, and the next event is whole', async () => {
  const { store, path } = await made();
  const whole = readFileSync(path, 'utf8');
  appendFileSync(path, '\n{"id":"torn","at":"2026-01-01T00:00:00Z","by":"x","replica":"local","clo');
  const log = await store.open(RUN);
  await log.append([startedWith()]);
  expect(readFileSync(path, 'utf8').startsWith(whole)).toBe(true);
  const again = await store.open(RUN);
  expect(again.run.running).toBe(true);
  expect(again.damage).toMatchObject([{ kind: 'torn' }]);
});

test('a damaged line is told, and one of a newer version too', async () => {
  const { store, path } = await made();
  await (await store.open(RUN)).append([startedWith()]);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('run_started', 'run_stArted'));
  expect((await store.open(RUN)).damage).toMatchObject([{ kind: 'damaged' }]);
});

test('what lost its first line cannot be opened, and is listed as what it is', async () => {
  const { store, path } = await made();
  writeFileSync(path, 'nothing\n');
  await expect(store.open(RUN)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  expect(await store.list()).toMatchObject({ runs: [], problems: [{ run: RUN, code: 'STORE_DAMAGED' }] });
});

test('a log that lost its end, or was put in place of another, is not written to', async () => {
  const { store, path } = await made();
  const log = await store.open(RUN);
  await log.append([startedWith()]);
  truncateSync(path, statSync(path).size - 10);
  await expect(log.refresh()).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
});

test('a link in place of a log, of its folder or of runs is not followed', async () => {
  const elsewhere = temporaryFolder();
  const first = await made();
  const name = join(first.folder, 'runs', 'run-0000link.events.jsonl');
  symlinkSync(first.path, name);
  await expect(first.store.open('run-0000link')).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  const log = await first.store.open(RUN);
  symlinkSync(elsewhere, join(first.folder, 'runs', RUN));
  await expect(log.keep('x')).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  const folder = temporaryFolder();
  symlinkSync(elsewhere, join(folder, 'runs'));
  await expect(createFileRunStore(folder, stamp).create(PREPARED)).rejects.toMatchObject({
    code: 'STORAGE_FAILED',
  });
});

test('purging follows no link out of the folder of the run', async () => {
  const { store, folder } = await made();
  const elsewhere = temporaryFolder();
  writeFileSync(join(elsewhere, 'kept'), 'x');
  mkdirSync(join(folder, 'runs', RUN));
  symlinkSync(elsewhere, join(folder, 'runs', RUN, 'link'));
  await store.purge(RUN);
  expect(existsSync(join(folder, 'runs', RUN))).toBe(false);
  expect(existsSync(join(elsewhere, 'kept'))).toBe(true);
});

test('a value that somebody changed is not read', async () => {
  const { store, folder } = await made();
  const log = await store.open(RUN);
  const digest = await log.keep({ a: 1 });
  writeFileSync(join(folder, 'runs', RUN, digest), '{"a":2}');
  await expect(log.read(digest)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
});
