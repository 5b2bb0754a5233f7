import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { PlanError } from '../../src/kernel/errors.js';
import { temporaryFolder } from '../support/folders.js';
import {
  completion,
  expectKept,
  expectValidFile,
  filesOf,
  goalId,
  PLAN,
  preparePlan,
  reopening,
} from './support/plans.js';
import { runAppender } from './support/processes.js';
import type { WorkerEnd, WorkerOptions } from './support/processes.js';
import { scale } from './support/scale.js';

const GOALS = 60;
const IS_ROOT = process.getuid?.() === 0;
const NOBODY = 65_534;

/** Changes until the disk says no; the error is clear, and what was acknowledged is there for everybody. */
async function fillUp(folder: string, options: WorkerOptions, reason: RegExp): Promise<WorkerEnd> {
  const end = await runAppender(
    {
      folder,
      plan: PLAN,
      payloads: Array.from({ length: GOALS }, (_, index) => completion(index)),
      publish: 'each',
      endless: true,
    },
    options,
  );
  expect(end).toMatchObject({ status: 7, stderr: '', error: { name: 'PlanError', code: 'STORAGE_FAILED' } });
  expect(end.error?.message).toContain(folder);
  expect(end.error?.message).toMatch(reason);
  await expectKept(folder, end.acknowledged);
  expectValidFile(filesOf(folder).planFile);
  return end;
}

describe('a disk that is full', () => {
  test.skipIf(process.platform === 'win32')('a limit on the size of a file', async () => {
    for (let more = 1; more <= scale(12, 1); more += 1) {
      const { folder, eventLog, planFile } = await preparePlan(GOALS);
      const largest = Math.max(statSync(eventLog).size, statSync(planFile).size);
      const blocks = Math.ceil(largest / 512) + more;
      const end = await fillUp(
        folder,
        { under: ['sh', '-c', `ulimit -f ${blocks}; exec "$@"`, 'sh'] },
        /beyond the size that is allowed/,
      );
      // The limit was the process's own: others go on behind the line that was cut off.
      await goOn(folder, end.acknowledged);
    }
  });

  const full = mounts('size=160k');
  test.skipIf(!full)('a small file system (skipped where none can be mounted)', async () => {
    const place = mounted('size=160k');
    const { folder } = await preparePlan(GOALS, join(place, '.plans'));
    const end = await fillUp(folder, {}, /the disk is full/);
    spawnSync('mount', ['-o', 'remount,size=4m', place]);
    await goOn(folder, end.acknowledged);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('a plan that does not fit is not made, and leaves nothing behind', async () => {
    if (!full) return;
    const place = mounted('size=64k');
    const folder = join(place, '.plans');
    const made = preparePlan(2000, folder);
    await expect(made).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    expect(readdirSync(folder).filter((name) => name.includes(PLAN))).toEqual([]);
  });
});

describe('a folder that cannot be written to', () => {
  test('no permission', async () => {
    const { folder, planFile, eventLog } = await preparePlan(3);
    const allowed = IS_ROOT ? { uid: NOBODY } : {};
    for (const path of [join(folder, '..'), folder, planFile, eventLog]) {
      if (IS_ROOT) chownSync(path, NOBODY, NOBODY);
    }
    const payloads = [completion(0)];
    chmodSync(eventLog, 0o400);
    const denied = await runAppender({ folder, plan: PLAN, payloads, publish: 'end' }, allowed);
    expectDenied(denied, eventLog);
    expect(denied.acknowledged).toEqual([]);

    chmodSync(eventLog, 0o600);
    chmodSync(folder, 0o500);
    onTestFinished(() => chmodSync(folder, 0o700));
    const unpublished = await runAppender({ folder, plan: PLAN, payloads, publish: 'end' }, allowed);
    expectDenied(unpublished, planFile);
    expect(unpublished.acknowledged).toHaveLength(1);
    await expectKept(folder, unpublished.acknowledged);

    chmodSync(folder, 0o700);
    chmodSync(eventLog, 0o000);
    chmodSync(planFile, 0o000);
    const blind = await runAppender({ folder, plan: PLAN, payloads, publish: 'end' }, allowed);
    expectDenied(blind, folder);
    chmodSync(eventLog, 0o600);
    chmodSync(planFile, 0o600);
    await expectKept(folder, unpublished.acknowledged);
  });

  test.skipIf(!mounts('size=1m'))(
    'a file system that is read-only (skipped where none can be mounted)',
    async () => {
      const place = mounted('size=1m');
      const { folder } = await preparePlan(3, join(place, '.plans'));
      spawnSync('mount', ['-o', 'remount,ro', place]);
      const end = await runAppender({ folder, plan: PLAN, payloads: [completion(0)], publish: 'end' });
      expect(end).toMatchObject({
        status: 7,
        error: { code: 'STORAGE_FAILED', message: expect.stringContaining('read-only') as string },
      });
      expect((await expectKept(folder, [])).plan.counts.complete).toBe(0);
    },
  );

  function expectDenied(end: WorkerEnd, path: string) {
    expect(end).toMatchObject({ status: 7, stderr: '', error: { code: 'STORAGE_FAILED' } });
    expect(end.error?.message).toContain('permission denied');
    expect(end.error?.message).toContain(path);
  }
});

describe('any call of the file system that fails', () => {
  test.each(scale(['ENOSPC', 'EIO', 'EACCES', 'EMFILE'], ['ENOSPC']))('with %s', async (kind) => {
    for (let at = 1; at < 200; at += scale(1, 17)) {
      const { folder, planFile } = await preparePlan(3);
      const end = await runAppender(
        { folder, plan: PLAN, payloads: [completion(0), completion(1)], publish: 'each' },
        { preload: { module: 'faulty-fs', environment: { FAULT: JSON.stringify({ at, kind }) } } },
      );
      await expectKept(folder, end.acknowledged);
      expectValidFile(planFile);
      await goOn(folder, end.acknowledged);
      expect({ at, error: end.error ?? null }).toMatchObject(
        end.error === undefined
          ? { error: null }
          : { error: { name: 'PlanError', code: 'STORAGE_FAILED', details: { reason: kind } } },
      );
      expect(readdirSync(folder).filter((name) => name.endsWith('.tmp')).length).toBeLessThanOrEqual(1);
      if (end.error === undefined && at > 60) return;
    }
  });
});

describe('files that go away under a process that has the plan open', () => {
  test('the log: an error and no new log, and it can be brought back', async () => {
    const { folder, log, eventLog } = await preparePlan(3);
    const [kept] = await log.append([completion(0)]);
    renameSync(eventLog, `${eventLog}.away`);
    await expect(log.append([completion(1)])).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    await expect(log.refresh()).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    expect(existsSync(eventLog)).toBe(false);
    renameSync(`${eventLog}.away`, eventLog);
    const [later] = await log.append([completion(2)]);
    expect(later?.refused).toBeNull();
    await expectKept(folder, [kept?.event.id ?? '', later?.event.id ?? '']);
  });

  test('the end of the log: an error, and the plan file still has what it had', async () => {
    const { folder, log, eventLog, store } = await preparePlan(3);
    await log.append([completion(0)]);
    await log.publish('now');
    writeFileSync(eventLog, Buffer.alloc(0));
    await expect(log.append([completion(1)])).rejects.toBeInstanceOf(PlanError);
    expect(statSync(eventLog).size).toBe(0);
    const reopened = await store.open(PLAN);
    expect(reopened.isCutOff).toBe(true);
    expect(reopened.plan.counts.complete).toBe(1);
    await expect(reopened.append([completion(1)])).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    await expectFolderUntouched(folder);
  });

  test('the plan file and the index: they are made again', async () => {
    const { folder, log, planFile } = await preparePlan(3);
    rmSync(planFile);
    rmSync(join(folder, 'index.json'), { force: true });
    const [kept] = await log.append([completion(0)]);
    await log.publish('now');
    expectValidFile(planFile);
    await expectKept(folder, [kept?.event.id ?? '']);
  });

  test('the whole folder: there is no such plan, and no folder is made', async () => {
    const { folder, log } = await preparePlan(3);
    rmSync(folder, { recursive: true });
    await expect(log.append([completion(0)])).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' });
    await expect(log.publish('now')).resolves.toBe(true);
    expect(existsSync(folder)).toBe(false);
  });

  async function expectFolderUntouched(folder: string) {
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  }
});

/** A fresh process changes the plan again, and nothing acknowledged is lost. */
async function goOn(folder: string, acknowledged: readonly string[]): Promise<void> {
  const log = await expectKept(folder, acknowledged);
  const isDone = log.plan.goals.get(goalId(0))?.status === 'complete';
  const [outcome] = await log.append([isDone ? reopening(0) : completion(0)]);
  expect(outcome?.refused).toBeNull();
  await log.publish('now');
  await expectKept(folder, [...acknowledged, outcome?.event.id ?? '']);
}

/** Mounts a file system in memory until the test is over. */
function mounted(options: string): string {
  const place = join(temporaryFolder(), 'disk');
  mkdirSync(place);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place]);
  if (status !== 0) throw new Error('cannot mount');
  onTestFinished(() => void spawnSync('umount', ['-l', place]));
  return place;
}

function mounts(options: string): boolean {
  if (!IS_ROOT || process.platform !== 'linux') return false;
  return spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', '-o', options, 'tmpfs', '/mnt']).status === 0;
}
