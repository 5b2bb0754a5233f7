import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { createFileStore } from '../../src/storage/file/file-store.js';
import type { PlanStore } from '../../src/storage/plan-store.js';
import { preparePlan, goalId, PLAN } from '../faults/support/plans.js';
import { newStamp } from '../support/stores.js';

const MEGABYTE = 1024 ** 2;
const LATER_MS = 60_000;

/** A store whose plan has a log of some six megabytes; its clock is ahead, so that the log is no longer fresh. */
async function largeLog() {
  const { folder, log, eventLog } = await preparePlan(8);
  const edit = (index: number) =>
    log.append([
      { type: 'goal_edited', goal: goalId(index), fields: { detail: `${index}`.repeat(MEGABYTE) } },
    ]);
  for (let index = 0; index < 6; index += 1) await edit(index);
  const store = createFileStore({
    folder,
    stamp: newStamp(),
    makeReplicaId: () => 'r0',
    now: () => Date.now() + LATER_MS,
  });
  const record = join(folder, 'journal', PLAN, 'checked.json');
  return { store, record, eventLog, edit };
}

const damageIn = async (store: PlanStore) =>
  (await store.findDamage(PLAN, 'checksums')).map(({ kind }) => kind);

/** Changes one byte in the middle of a file, and nothing else but its times. */
function flip(path: string, offset = 3 * MEGABYTE): void {
  const byte = readFileSync(path)[offset] ?? 0;
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.of(byte ^ 1), 0, 1, offset);
  closeSync(file);
}

/** How many bytes this process reads from files while it does something. */
async function bytesRead(work: () => Promise<unknown>): Promise<number> {
  const count = () => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  const before = count();
  await work();
  return count() - before;
}

describe('what was checked of a log for damage', () => {
  test('is remembered, and a byte that is flipped is named at once, before and after other changes', async () => {
    const { store, record, eventLog, edit } = await largeLog();
    expect(await damageIn(store)).toEqual([]);
    expect(existsSync(record)).toBe(true);
    flip(eventLog);
    expect(await damageIn(store)).toEqual(['damaged']);
    expect(await damageIn(store)).toEqual(['damaged']);
    flip(eventLog);
    expect(await damageIn(store)).toEqual([]);
    // A change together with one that is honest.
    flip(eventLog, MEGABYTE);
    await edit(6);
    expect(await damageIn(store)).toEqual(['damaged']);
    await edit(7);
    expect(await damageIn(store)).toEqual(['damaged']);
    // The time of the last writing can be set back, that of the last change of anything cannot.
    const { atime, mtime } = statSync(eventLog);
    flip(eventLog, 5 * MEGABYTE);
    utimesSync(eventLog, atime, mtime);
    expect(await damageIn(store)).toEqual(['damaged', 'damaged']);
  });

  test.skipIf(!existsSync('/proc/self/io'))('is not read again, and what is new is', async () => {
    const { store, edit } = await largeLog();
    await damageIn(store);
    expect(await bytesRead(() => damageIn(store))).toBeLessThan(MEGABYTE);
    await edit(6);
    expect(await damageIn(store)).toEqual([]);
    expect(await bytesRead(() => damageIn(store))).toBeLessThan(MEGABYTE);
  });

  test('of a log that was just changed nothing is taken from its times', async () => {
    const { store, record, eventLog } = await largeLog();
    const fresh = createFileStore({
      folder: store.location,
      stamp: newStamp(),
      makeReplicaId: () => 'r0',
      now: Date.now,
    });
    await damageIn(fresh);
    expect(readFileSync(record, 'utf8')).toContain(String.raw`\"stamp\":null`);
    flip(eventLog);
    expect(await damageIn(fresh)).toEqual(['damaged']);
  });

  test('a record that is damaged, of another file or something else is as none', async () => {
    const { store, record, eventLog } = await largeLog();
    await damageIn(store);
    const kept = readFileSync(record, 'utf8');
    flip(eventLog);
    for (const text of ['', '{', 'null', kept.replace('"damage', '"damagf'), '[]', '{"crc":0,"text":"{}"}']) {
      writeFileSync(record, text);
      expect(await damageIn(store)).toEqual(['damaged']);
    }
    flip(eventLog);
    await damageIn(store);
    const ofThis = readFileSync(record);
    // The log is put in place of itself as another file, with a flipped byte.
    const bytes = readFileSync(eventLog);
    bytes[MEGABYTE] = (bytes[MEGABYTE] ?? 0) ^ 1;
    writeFileSync(`${eventLog}.new`, bytes);
    renameSync(`${eventLog}.new`, eventLog);
    writeFileSync(record, ofThis);
    expect(await damageIn(store)).toEqual(['damaged']);
  });
});
