import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import type { StoreWarning } from '../../src/index.js';
import type { EventPayload } from '../../src/plan/events.js';
import { temporaryFolder } from '../support/folders.js';
import { claim, complete, expand, fail, id, newWorkplace, PLAN } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';
import { asUser, IS_ROOT } from './support/as-user.js';
import { scale } from './support/scale.js';
import { CAN_TRACE, runPlan, under } from './support/strace.js';

const NOBODY = 65_534;

async function workplace(folder?: string): Promise<Workplace> {
  const place = await newWorkplace(folder);
  await place.change(expand('root', ['a', 'b', 'c', 'd'], ['e']), claim('d', 'd1'));
  return place;
}

const eventsIn = ({ eventLog }: Workplace) => readFileSync(eventLog, 'utf8').trim().split(/\n+/).length;

/** What `runPlan` does, as another user, without a process for each. */
async function inProcess(
  { run, uid }: Workplace & { readonly uid: number },
  args: readonly string[],
): ReturnType<typeof runPlan> {
  const { status, signal, out, error } = await asUser({ uid }, () => run(args));
  return { status, signal, out, stderr: error };
}

/** The command says what it did; that the plan file is not fresh is a warning; and nothing is done twice. */
async function expectDone(
  place: Workplace,
  run: (args: readonly string[]) => ReturnType<typeof runPlan>,
  args: readonly string[],
  events = 1,
) {
  const before = eventsIn(place);
  const { status, out, stderr } = await run([...args, '--json']);
  expect([args, status, stderr]).toEqual([args, 0, expect.stringMatching(/^warning: .*stored/) as string]);
  const document = JSON.parse(out) as { readonly warnings: readonly StoreWarning[] };
  expect(document.warnings).toMatchObject([
    { code: 'NOT_PUBLISHED', file: join(place.store, `${PLAN}.json`) },
  ]);
  expect(eventsIn(place)).toBe(before + events);
  return document;
}

describe('a change that was stored and could not be published', () => {
  /** Commands, how many events they come to, and what was done before. */
  const COMMANDS: readonly {
    readonly name: string;
    readonly args: readonly string[];
    readonly events?: number;
    readonly before?: readonly EventPayload[];
  }[] = [
    { name: 'claim', args: ['claim', id('a')] },
    { name: 'next --claim', args: ['next', '--claim'] },
    { name: 'renew', args: ['renew', id('d'), '--token', 'd1'] },
    { name: 'release', args: ['release', id('d'), '--token', 'd1'] },
    { name: 'complete', args: ['complete', id('a'), '--summary', 'Did it'] },
    { name: 'fail', args: ['fail', id('a'), '--reason', 'no sandbox'] },
    { name: 'reopen', args: ['reopen', id('a')], before: [complete('a')] },
    { name: 'add', args: ['add', 'More'] },
    { name: 'edit', args: ['edit', id('a'), '--description', 'Other'] },
    { name: 'remove', args: ['remove', id('a')] },
    { name: 'depend', args: ['depend', id('a'), '--on', id('b')] },
    { name: 'pause', args: ['pause'] },
    { name: 'undo', args: ['undo', '--any', '--force', '--yes'] },
    { name: 'archive', args: ['archive', '--yes'] },
    { name: 'restore', args: ['restore', PLAN], before: [{ type: 'plan_archived' }] },
    { name: 'resume', args: ['resume', '--expander', 'rules'], events: 3, before: [fail('b')] },
  ];

  test.skipIf(!IS_ROOT).each(COMMANDS)(
    'with no right to make files: $name (as another user, which root alone can be)',
    async ({ args, events = 1, before = [] }) => {
      const place = await workplace();
      if (before.length > 0) await place.change(...before);
      await place.run(['status', '--json']);
      for (const path of [place.folder, place.home, place.store]) chownSync(path, NOBODY, NOBODY);
      for (const name of readdirSync(place.store)) chownSync(join(place.store, name), NOBODY, NOBODY);
      chmodSync(place.store, 0o500);
      onTestFinished(() => chmodSync(place.store, 0o700));
      const run = scale<typeof inProcess>(runPlan, inProcess);
      await expectDone(place, (words) => run({ ...place, uid: NOBODY }, words), args, events);
    },
  );

  test('for people: what was done, the token of a claim, and a warning', async () => {
    const place = await workplace();
    // Every rename fails, as with a directory that holds no more names.
    if (!CAN_TRACE) return;
    const broken = under('/^rename:error=ENOSPC');
    const { status, out, stderr } = await runPlan({ ...place, under: broken }, ['claim', id('a')]);
    expect([status, out]).toEqual([0, expect.stringMatching(/token/i) as string]);
    expect(stderr).toContain('warning: what was changed is stored');
    expect(stderr).toContain('the disk is full');
    const again = await place.run(['claim', id('a'), '--by', 'another']);
    expect(again.status).toBe(4);
    await place.run(['release', id('a'), '--force']);
    expect((await place.run(['validate'])).out).toBe('valid\n');
  });

  test.skipIf(!canMount())('on a disk that is full (skipped where none can be mounted)', async () => {
    const disk = mounted('size=512k');
    const place = await workplace(disk);
    // The page that the log ends on has room for the claim; nothing else has any.
    while (4096 - (statSync(place.eventLog).size % 4096) < 1500) await place.change(fail('c'));
    fill(disk);
    const document = await expectDone(place, (args) => runPlan(place, args), [
      'claim',
      id('a'),
      '--by',
      'me',
    ]);
    expect(document).toMatchObject({ claimed: { token: expect.any(String) as string } });
    const again = await runPlan(place, ['claim', id('a'), '--by', 'another']);
    expect(again.status).toBe(4);
  });

  test.skipIf(!canMount())('on a disk without inodes (skipped where none can be mounted)', async () => {
    const disk = mounted('size=1m,nr_inodes=40');
    const place = await workplace(disk);
    for (let number = 0; ; number += 1) {
      try {
        writeFileSync(join(disk, `filler${number}`), '');
      } catch {
        break;
      }
    }
    await expectDone(place, (args) => runPlan(place, args), ['claim', id('a')]);
  });

  test.skipIf(process.platform === 'win32')('under a limit on the size of files', async () => {
    const place = await workplace();
    const many = Array.from({ length: 60 }, (_, index) => `m${index}`);
    await place.change(expand('e', many));
    // The log, which has each goal once and in short, stays below the limit; the plan file is beyond it.
    const blocks = Math.ceil((statSync(place.eventLog).size + 2000) / 512);
    expect(statSync(join(place.store, `${PLAN}.json`)).size).toBeGreaterThan(blocks * 512);
    const limited = ['sh', '-c', `ulimit -f ${blocks}; exec "$@"`, 'sh'];
    await expectDone(place, (args) => runPlan({ ...place, under: limited }, args), ['claim', id('a')]);
  });

  test.skipIf(!canMount())('in the library: the function returns, and the workspace is told', async () => {
    const disk = mounted('size=512k');
    const place = await workplace(disk);
    while (4096 - (statSync(place.eventLog).size % 4096) < 1500) await place.change(fail('c'));
    fill(disk);
    const warnings: StoreWarning[] = [];
    const workspace = openWorkspace({ dir: place.store, onWarning: (one) => warnings.push(one) });
    const { claimed } = await workspace.claim(id('a'), { plan: PLAN });
    const again = workspace.claim(id('a'), { plan: PLAN, by: 'another' });
    await expect(again).rejects.toMatchObject({ code: 'REFUSED' });
    expect(claimed.token).not.toBe('');
    expect(warnings.map(({ code }) => code)).toContain('NOT_PUBLISHED');
  });
});

describe.skipIf(!CAN_TRACE)('an append of which nobody knows whether it succeeded (strace)', () => {
  test('says so, and does not say that the command should be run again', async () => {
    const place = await workplace();
    const broken = under('fdatasync:error=EIO');
    const { status, stderr } = await runPlan({ ...place, under: broken }, ['claim', id('a')]);
    expect(status).toBe(7);
    expect(stderr).toContain('plan log');
    expect(stderr).not.toContain('run the command again');
  });

  test('nor where it was written and cannot be read back', async () => {
    const place = await workplace();
    const slow = under('fdatasync:delay_exit=2500000');
    const before = statSync(place.eventLog).size;
    const late = runPlan({ ...place, under: slow }, ['claim', id('a')]);
    while (statSync(place.eventLog).size === before) await wait(5);
    // Written, and on its way to the disk; then somebody takes the log away, with all that it is known by.
    renameSync(place.eventLog, `${place.eventLog}.away`);
    rmSync(join(place.store, 'journal'), { recursive: true });
    const { status, stderr } = await late;
    expect(status).toBe(7);
    expect(stderr).toContain('plan log');
    expect(stderr).not.toContain('run the command again');
  });
});

function fill(disk: string): void {
  spawnSync('sh', ['-c', `cat /dev/zero > '${join(disk, 'filler')}'`]);
}

function mounted(options: string): string {
  const place = join(temporaryFolder(), 'disk');
  mkdirSync(place);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place]);
  if (status !== 0) throw new Error('cannot mount');
  onTestFinished(() => void spawnSync('umount', ['-l', place]));
  return place;
}

function canMount(): boolean {
  if (!IS_ROOT || process.platform !== 'linux') return false;
  return spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
}
