import { spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { validatePlanFile } from '../../src/plan/invariants.js';
import { toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import { temporaryFolder } from '../support/folders.js';
import { newFileStore } from '../support/stores.js';
import { complete, expand, id, newWorkplace, PLAN } from '../support/worked-plan.js';
import { expectKept, preparePlan, completion, reopening } from './support/plans.js';
import { momentsOf, recordedTo, restoreSnapshot, takeSnapshot } from './support/power-loss.js';
import type { Snapshot } from './support/power-loss.js';
import { runAppender } from './support/processes.js';
import { scale } from './support/scale.js';
import { CAN_TRACE, runPlan } from './support/strace.js';

/** Processes that write to the disk image at once. */
const WRITERS = 3;

/** Commands that change a plan, each with what is done before. */
const COMMANDS: readonly (readonly string[])[] = scale(
  [
    ['complete', id('a'), '--summary', 'Did it'],
    ['delete', PLAN, '--purge'],
    ['add', 'More', '--plan', PLAN],
    ['archive', PLAN],
    ['claim', id('a')],
    ['undo', PLAN, '--any'],
    ['doctor', '--fix'],
  ],
  [
    ['complete', id('a'), '--summary', 'Did it'],
    ['delete', PLAN, '--purge'],
  ],
);

async function idsIn(store: string): Promise<readonly string[]> {
  const log = await (await newFileStore(store)).open(PLAN, 'log').catch(() => null);
  return log === null ? [] : (await log.events()).map((event) => event.id);
}

/** After the power came back: nothing acknowledged is lost, the plan can be read and gone on with, and is healthy. */
async function expectRecovered(
  store: string,
  ids: readonly string[],
  { mayBeGone = false, isAlone = false } = {},
): Promise<void> {
  const files = await newFileStore(store);
  const log = await files.open(PLAN).catch(() => null);
  if (log === null && mayBeGone) return;
  if (log === null) throw new Error('the plan cannot be read');
  expect(validatePlanFile(toPlanFile(log.plan)).problems).toEqual([]);
  expect(log.isCutOff).toBe(false);
  // Of two that write at once the plan file may show the one that comes second in the order; then all of the log is read.
  if (isAlone) expect(log.stale).toBe(false);
  const there = new Set((await log.events()).map((event) => event.id));
  expect(ids.filter((one) => !there.has(one))).toEqual([]);
  const [outcome] = await log.append([complete('c')]);
  expect(outcome?.refused).toBeNull();
  await log.publish('now');
  const { findings } = await openWorkspace({ dir: store }).doctor({ fix: true });
  expect(findings.filter(({ severity, fixed }) => severity === 'error' && fixed === null)).toEqual([]);
  const kept = await idsIn(store);
  expect(ids.filter((one) => !kept.includes(one))).toEqual([]);
}

describe.skipIf(!CAN_TRACE)('when the power goes after any call of the system (strace)', () => {
  test.each(COMMANDS.map((args) => ({ args, name: args[0] })))('during plan $name', async ({ args }) => {
    const place = await newWorkplace();
    const { folder, home, store } = place;
    await place.change(expand('root', ['a', 'b', 'c']));
    await place.change(complete('b'));
    const before = takeSnapshot(store);
    const ids = await idsIn(store);
    const trace = join(temporaryFolder(), 'trace');
    const { status, signal } = await runPlan({ folder, home, under: recordedTo(trace) }, args);
    expect([status, signal]).toEqual([0, null]);
    const after = await idsIn(store);
    const moments = momentsOf([trace], store, before);
    // What the recording came to is what is there.
    const last = moments.at(-1)?.snapshots.at(-1)?.files ?? new Map();
    expect(contentsOf(last)).toEqual(contentsOf(takeSnapshot(store)));
    const isPurge = args.includes('--purge');
    expect(moments.length).toBeGreaterThan(isPurge ? 3 : args[0] === 'doctor' ? 0 : 6);
    const seen = new Set<string>();
    for (const [index, { call, told, snapshots }] of moments.entries()) {
      if (index % scale(1, 2) > 0) continue;
      const isTold = told.has(0);
      for (const { name, files } of snapshots) {
        // Most calls leave most of these as they were.
        const state = JSON.stringify([isTold, contentsOf(files)]);
        if (seen.has(state)) continue;
        seen.add(state);
        const copy = join(temporaryFolder(), '.plans');
        restoreSnapshot(files, store, copy);
        const expected = isTold && !isPurge ? after : ids;
        if (isTold && isPurge) expect([call, name, await idsIn(copy)]).toEqual([call, name, []]);
        else
          await expectRecovered(copy, expected, { mayBeGone: isPurge, isAlone: true }).catch(
            (cause: unknown) => {
              throw new Error(`after call ${index} (${call}), with ${name}: ${String(cause)}`, { cause });
            },
          );
      }
    }
  });
});

/** Commands that run at once; each says who it is. */
const AT_ONCE: readonly (readonly (readonly string[])[])[] = scale(
  [
    [
      ['complete', id('a'), '--summary', 'Did it'],
      ['add', 'More', '--plan', PLAN],
      ['edit', id('b'), '--description', 'Another'],
    ],
    [
      ['claim', id('a')],
      ['claim', id('a')],
      ['add', 'More', '--plan', PLAN],
    ],
    [
      ['add', 'More', '--plan', PLAN],
      ['add', 'Yet more', '--plan', PLAN],
      ['doctor', '--fix'],
      ['archive', PLAN],
    ],
  ],
  [
    [
      ['complete', id('a'), '--summary', 'Did it'],
      ['add', 'More', '--plan', PLAN],
    ],
  ],
);

describe.skipIf(!CAN_TRACE)('when the power goes while several commands run at once (strace)', () => {
  test.each(AT_ONCE.map((commands) => ({ commands, names: commands.map(([name]) => name).join(', ') })))(
    '$names',
    async ({ commands }) => {
      let recorded = await recordAtOnce(commands);
      // Which of two lines that were written at the same moment came first a recording cannot tell.
      for (let again = 0; !recorded.isAsItWas && again < 4; again += 1)
        recorded = await recordAtOnce(commands);
      const { store, ids, ends, idsOf, moments, isAsItWas } = recorded;
      expect(isAsItWas).toBe(true);
      const seen = new Set<string>();
      for (const [index, { call, told, snapshots }] of moments.entries()) {
        if (index % scale(1, 7) > 0) continue;
        // A command that was refused has written nothing that must be there.
        const done = [...told].filter((one) => ends[one]?.status === 0);
        const expected = [...ids, ...done.flatMap(idsOf)];
        for (const { name, files } of snapshots) {
          const state = JSON.stringify([done, contentsOf(files)]);
          if (seen.has(state)) continue;
          seen.add(state);
          const copy = join(temporaryFolder(), '.plans');
          restoreSnapshot(files, store, copy);
          await expectRecovered(copy, expected).catch((cause: unknown) => {
            throw new Error(`after call ${index} (${call}), with ${name}: ${String(cause)}`, { cause });
          });
        }
      }
      expect(seen.size).toBeGreaterThan(scale(20, 6));
    },
  );
});

/** Runs commands at once, each of its own name and recorded. */
async function recordAtOnce(commands: readonly (readonly string[])[]) {
  const place = await newWorkplace();
  const { folder, home, store } = place;
  await place.change(expand('root', ['a', 'b', 'c']));
  const before = takeSnapshot(store);
  const ids = await idsIn(store);
  const traces = commands.map(() => join(temporaryFolder(), 'trace'));
  const ends = await Promise.all(
    commands.map((args, index) => {
      const variables = { FRCTL_BY: `process ${index}` };
      return runPlan({ folder, home, variables, under: recordedTo(traces[index] ?? '') }, args);
    }),
  );
  expect(ends.map(({ signal }) => signal)).toEqual(ends.map(() => null));
  const events = await (await (await newFileStore(store)).open(PLAN, 'log')).events();
  const idsOf = (index: number) =>
    events.filter(({ by }) => by === `process ${index}`).map((event) => event.id);
  const moments = momentsOf(traces, store, before);
  const log = join(store, `${PLAN}.events.jsonl`);
  const last = moments.at(-1)?.snapshots.at(-1)?.files ?? new Map();
  const isAsItWas = contentsOf(last)[log] === contentsOf(takeSnapshot(store))[log];
  return { store, ids, ends, idsOf, moments, isAsItWas };
}

function contentsOf(files: Snapshot): Record<string, string> {
  const entries = [...files].flatMap(([path, { content }]) =>
    content === null ? [] : [[path, content.toString('latin1')] as const],
  );
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe.skipIf(!canMountExt4())(
  'a disk image that is copied while writers are at work (skipped where none can be mounted)',
  () => {
    test('has all that was acknowledged to each of several', async () => {
      const image = join(temporaryFolder(), 'disk.img');
      writeFileSync(image, '');
      truncateSync(image, 24 * 1024 * 1024);
      spawnSync('mkfs.ext4', ['-q', image]);
      const disk = mountedAt(image, 'disk');
      const { folder } = await preparePlan(20, join(disk, '.plans'));
      spawnSync('sync', ['-f', disk]);
      for (let round = 0; round < scale(25, 2); round += 1) {
        const acknowledged: string[] = [];
        const copy = `${image}.copy`;
        const payloads = Array.from({ length: 20 }, (_, index) => [
          completion(index),
          reopening(index),
        ]).flat();
        const publish = round % 2 === 0 ? 'each' : 'never';
        const workers = new Set<ChildProcess>();
        let isCopied = false;
        await Promise.all(
          Array.from({ length: WRITERS }, () =>
            runAppender(
              { folder, plan: PLAN, payloads, publish, endless: true },
              {
                onReport: ({ event }, worker) => {
                  workers.add(worker);
                  if (event === undefined || isCopied) return;
                  acknowledged.push(event);
                  if (acknowledged.length < 5 + round || workers.size < WRITERS) return;
                  isCopied = true;
                  for (const one of workers) one.kill('SIGSTOP');
                  // What is in the image now the disk has; what the file system still holds back it has not.
                  copyFileSync(image, copy);
                  for (const one of workers) one.kill('SIGKILL');
                },
              },
            ),
          ),
        );
        const restored = mountedAt(copy, `copy${round}`);
        await expectKept(join(restored, '.plans'), acknowledged);
        spawnSync('umount', ['-l', restored]);
        rmSync(copy);
      }
    });
  },
);

function mountedAt(image: string, name: string): string {
  const place = join(temporaryFolder(), name);
  mkdirSync(place);
  const { status } = spawnSync('mount', ['-o', 'loop', image, place]);
  if (status !== 0) throw new Error('cannot mount');
  onTestFinished(() => void spawnSync('umount', ['-l', place]));
  return place;
}

function canMountExt4(): boolean {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return false;
  const image = join(mkdtempSync(join(tmpdir(), 'frctl-ext4-')), 'disk.img');
  const place = dirname(image);
  writeFileSync(image, '');
  truncateSync(image, 8 * 1024 * 1024);
  const isMounted =
    spawnSync('mkfs.ext4', ['-q', image]).status === 0 &&
    spawnSync('unshare', ['-m', 'mount', '-o', 'loop', image, '/mnt']).status === 0;
  rmSync(place, { recursive: true });
  return isMounted;
}
