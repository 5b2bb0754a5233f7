import { readFileSync, writeFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { openFilePlanLog } from '../../src/storage/file/log/file-plan-log.js';
import { openJournal } from '../../src/storage/file/journal/journal.js';
import { newStamp } from '../support/stores.js';
import { completion, expectKept, expectValidFile, PLAN, preparePlan } from './support/plans.js';
import { runAppender, startReader } from './support/processes.js';
import { scale } from './support/scale.js';

const PROCESSES = scale(16, 4);
const CHANGES = scale(50, 8);
/** Processes that want the same. */
const CONTENDERS = scale(16, 8);

test(`${PROCESSES} processes make ${CHANGES} changes each of one plan, and all are kept`, async () => {
  const { folder, planFile } = await preparePlan(PROCESSES * CHANGES);
  const readers = [startReader(folder, PLAN), startReader(folder, PLAN)];
  const ends = await Promise.all(
    Array.from({ length: PROCESSES }, (_, process) =>
      runAppender({
        folder,
        plan: PLAN,
        payloads: Array.from({ length: CHANGES }, (_, change) => completion(process * CHANGES + change)),
        publish: process % 2 === 0 ? 'each' : 'end',
      }),
    ),
  );
  const reports = ends.flatMap((end) => end.reports.filter(({ event }) => event !== undefined));
  expect(ends.map(({ status, stderr }) => ({ status, stderr }))).toEqual(
    ends.map(() => ({ status: 0, stderr: '' })),
  );
  expect(reports.filter(({ refused }) => refused !== null)).toEqual([]);
  expect(new Set(reports.map(({ event }) => event)).size).toBe(PROCESSES * CHANGES);

  for (const stop of readers) expect(await stop()).toMatchObject({ problems: [] });
  const reopened = await expectKept(
    folder,
    ends.flatMap(({ acknowledged }) => acknowledged),
  );
  expect(reopened.plan.counts.complete).toBe(PROCESSES * CHANGES);
  expect(reopened.plan.header.status).toBe('complete');
  expectValidFile(planFile);
});

test(`of ${CONTENDERS} processes that complete one goal, one is accepted and the others are told`, async () => {
  for (let round = 0; round < scale(10, 1); round += 1) {
    const { folder } = await preparePlan(2);
    const stop = startReader(folder, PLAN);
    const ends = await Promise.all(
      Array.from({ length: CONTENDERS }, () =>
        runAppender({ folder, plan: PLAN, payloads: [completion(0)], publish: 'each' }),
      ),
    );
    const told = ends.map(({ reports }) => reports.find(({ event }) => event !== undefined)?.refused);
    expect(told.filter((refused) => refused === null)).toHaveLength(1);
    expect(told.filter((refused) => refused?.code === 'wrong_status')).toHaveLength(CONTENDERS - 1);
    expect(await stop()).toMatchObject({ problems: [] });
    await expectKept(
      folder,
      ends.flatMap(({ acknowledged }) => acknowledged),
    );
  }
});

test('a plan that another process changes and publishes while it is opened is not taken for damaged', async () => {
  const { folder, log, planFile, eventLog } = await preparePlan(1);
  const before = readFileSync(eventLog);
  await log.append([completion(0)]);
  await log.publish('now');
  const after = readFileSync(eventLog);
  writeFileSync(eventLog, before);
  const opened = await openFilePlanLog({
    planId: PLAN,
    inArchive: false,
    warn: undefined,
    from: 'view',
    journal: openJournal({ store: folder, planId: PLAN, now: Date.now, makeMark: () => 'm' }),
    backupFolder: `${folder}/backup`,
    // The other process is done between the first look at the log and the reading of the plan file.
    paths: {
      eventLog,
      purgedLog: `${eventLog}.purged.tmp`,
      get planFile() {
        writeFileSync(eventLog, after);
        return planFile;
      },
    },
    stamp: newStamp(),
    replica: async () => 'r1',
    remember: async () => undefined,
    now: Date.now,
  });
  expect(opened.isCutOff).toBe(false);
  expect(opened.plan.counts.complete).toBe(1);
  await expectKept(folder, []);
});
