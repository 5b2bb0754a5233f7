import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { fileIdentityNow } from '../../src/host/files/file-identity.js';
import { openJournal } from '../../src/storage/file/journal/journal.js';
import { temporaryFolder } from '../support/folders.js';

test('a mark that another process removes while it is agreed on is made anew', async () => {
  const store = temporaryFolder();
  const journalWith = (mark: string) =>
    openJournal({ store, planId: '0398a958', now: Date.now, makeMark: () => mark });
  const logs = ['one', 'two'].map((name) => {
    const path = join(store, `${name}.jsonl`);
    writeFileSync(path, `${name}\n`);
    const file = fileIdentityNow(path);
    if (file === null) throw new Error(`${path} is not there`);
    return { path, file };
  });
  const [one, two] = logs as [(typeof logs)[0], (typeof logs)[0]];
  const [writer, other] = [journalWith('a'), journalWith('b')];
  // It finds the second log in place of the first, so that the mark of the first has no meaning to it.
  const forgetting = async (after: number): Promise<void> => {
    for (let turn = 0; turn < after; turn += 1) await nextTurn();
    await other.forget(two.file, [], two.path);
  };
  const marks: string[] = [];
  for (let round = 0; round < 150; round += 1) {
    const forgotten = [1, 2, 3, 4].map((times) => forgetting((times * round) % 60));
    marks.push(await writer.agree(one.file));
    await Promise.all(forgotten);
  }
  expect(new Set(marks)).toEqual(new Set(['a']));
});

test('what a killed process left in a journal is told by the clock that the store was given', async () => {
  const store = temporaryFolder();
  const path = join(store, 'one.jsonl');
  writeFileSync(path, 'one\n');
  const file = fileIdentityNow(path);
  if (file === null) throw new Error(`${path} is not there`);
  let now = Date.parse('2020-01-01T00:00:00Z');
  const journal = openJournal({ store, planId: '0398a958', now: () => now, makeMark: () => 'a' });
  await journal.prepare();
  const left = join(journal.folder, 'note.json.1-2.tmp');
  writeFileSync(left, '');
  utimesSync(left, now / 1000, now / 1000);
  const isLeft = async () => {
    await journal.forget(file, [], path);
    return readdirSync(journal.folder).includes('note.json.1-2.tmp');
  };
  expect(await isLeft()).toBe(true);
  now += 60 * 60_000;
  expect(await isLeft()).toBe(false);
});
