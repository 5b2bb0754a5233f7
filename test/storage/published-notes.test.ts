import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { fileIdentity } from '../../src/host/files/file-identity.js';
import type { FileIdentity } from '../../src/host/files/file-identity.js';
import type { PlanEvent } from '../../src/plan/events.js';
import { rebuild } from '../../src/storage/file/log/log-reading.js';
import { withOwnEvents } from '../../src/storage/file/log/plan-state.js';
import type { LogReaderOptions } from '../../src/storage/file/log/plan-state.js';
import type { PlanLog } from '../../src/storage/plan-store.js';
import {
  isNotedOfOther,
  isPublishedNote,
  notePublished,
} from '../../src/storage/file/journal/published-notes.js';
import { journalFileNames } from '../../src/storage/file/journal/peek-journal.js';
import { expectKept, PLAN, preparePlan } from '../faults/support/plans.js';
import { temporaryFolder } from '../support/folders.js';

const NOW = Date.UTC(2026, 10, 28);
const log = (inode: number, birthTime: number) => ({ device: 1, inode, size: 100, birthTime });
const notesIn = (folder: string) => journalFileNames(folder).filter(isPublishedNote);

describe('what is noted of the plan files that were made', () => {
  test('tells the log of each from every other, also from one that has its number again', () => {
    const folder = temporaryFolder();
    // The folder was made before what is in it, so that its own times tell that births are told.
    notePublished(folder, log(5, 1000.5), 'one', NOW);
    notePublished(folder, log(6, 2000.5), 'two', NOW + 1);
    expect(isNotedOfOther(folder, log(5, 1000.5), 'one')).toBe(false);
    expect(isNotedOfOther(folder, log(5, 3000.5), 'one')).toBe(
      statSync(folder).birthtimeMs !== statSync(folder).ctimeMs,
    );
    expect(isNotedOfOther(folder, log(6, 2000.5), 'one')).toBe(true);
    expect(isNotedOfOther(folder, log(6, 2000.5), 'two')).toBe(false);
    expect(isNotedOfOther(folder, log(5, 1000.5), 'never published')).toBe(false);
  });

  test('is kept by each writer beside the notes of the others, the last ones, once each', () => {
    const folder = temporaryFolder();
    // What a stranger put there keeps nothing from being removed.
    mkdirSync(join(folder, '000000000-1-1-00000000.published'));
    for (let event = 0; event < 100; event += 1) {
      notePublished(folder, log(5, 1000), `event ${event}`, NOW + event);
      notePublished(folder, log(5, 1000), `event ${event}`, NOW + event + 1);
    }
    expect(notesIn(folder).length).toBeLessThanOrEqual(18);
    for (let event = 85; event < 100; event += 1)
      expect(isNotedOfOther(folder, log(6, 1000), `event ${event}`)).toBe(true);
    expect(isNotedOfOther(folder, log(6, 1000), 'event 10')).toBe(false);
  });
});

test('what is written to a log in whose place another of its number and length was put is not added to what was read before', async () => {
  const store = join(temporaryFolder(), '.plans');
  const path = join(store, `${PLAN}.events.jsonl`);
  const { log: ours } = await preparePlan(3, store);
  const before = join(temporaryFolder(), '.plans');
  cpSync(store, before, { recursive: true });
  await ours.append([{ type: 'plan_paused', because: 'user', detail: 'of a log that is gone' }]);
  const file = await identityOf(path);
  const reading = await rebuild(path, file);
  const state = { plan: ours.plan, reading, loss: null, view: 'fits', covered: null, alone: null } as const;
  const options = { planId: PLAN, paths: { eventLog: path } } as unknown as LogReaderOptions;
  const append = async (log: PlanLog) => {
    const [outcome] = await log.append([{ type: 'plan_paused', because: 'user', detail: 'new' }]);
    return outcome?.event === undefined ? [] : [outcome.event];
  };
  const own = (events: readonly PlanEvent[], log: FileIdentity) =>
    withOwnEvents(options, state, { events, length: log.size - file.size, log, watched: new Map() });
  const events = await append(ours);
  expect(own(events, await identityOf(path))?.plan.header.warnings).toEqual(ours.plan.header.warnings);
  // The same events, but what is before them is another log's.
  const theirs = await expectKept(before, []);
  await theirs.append([{ type: 'plan_paused', because: 'user', detail: 'of the other log, longer' }]);
  const other = await append(theirs);
  writeFileSync(path, readFileSync(join(before, `${PLAN}.events.jsonl`)));
  const replaced = { ...(await identityOf(path)), inode: file.inode, birthTime: file.birthTime + 1000 };
  expect(own(other, replaced)).toBeNull();
});

async function identityOf(path: string): Promise<FileIdentity> {
  const found = await fileIdentity(path);
  if (found === null) throw new Error(`${path} is not there`);
  return found;
}
