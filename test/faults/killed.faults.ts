import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { temporaryFolder } from '../support/folders.js';
import { completion, expectKept, expectValidFile, PLAN, preparePlan, reopening } from './support/plans.js';
import { runAppender } from './support/processes.js';
import type { WorkerOptions } from './support/processes.js';
import { scale } from './support/scale.js';
import { CAN_TRACE } from './support/strace.js';

const MOMENTS = scale(200, 4);
const LONGEST_WAIT_MS = 60;

test(`a writer that is killed at ${MOMENTS} random moments loses nothing that was acknowledged`, async () => {
  const { folder, planFile } = await preparePlan(20);
  const acknowledged: string[] = [];
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    // Each fourth is killed at its first change or before it, the others after one, two or three.
    const wanted = moment % 4;
    let seen = 0;
    const end = await runAppender(
      {
        folder,
        plan: PLAN,
        payloads: Array.from({ length: 20 }, (_, index) => [completion(index), reopening(index)]).flat(),
        publish: 'each',
        endless: true,
      },
      {
        onReport: ({ opened, event }, worker) => {
          if (event !== undefined) seen += 1;
          if ((event !== undefined || opened === true) && seen === wanted)
            setTimeout(() => worker.kill('SIGKILL'), Math.random() * LONGEST_WAIT_MS);
        },
      },
    );
    expect(end).toMatchObject({ signal: 'SIGKILL', error: undefined });
    expect(end.acknowledged.length).toBeGreaterThanOrEqual(wanted);
    acknowledged.push(...end.acknowledged);
    await expectKept(folder, acknowledged);
    expectValidFile(planFile);
  }
});

describe('killed at each step of one change and one replacing of the plan file', () => {
  test.each(['kill', 'tear'])('at each call of the file system (%s)', async (kind) => {
    let killed = 0;
    for (let at = 1; at <= 200; at += scale(1, 9)) {
      const status = await killedOnce({
        preload: { module: 'faulty-fs', environment: { FAULT: JSON.stringify({ at, kind }) } },
      });
      if (status === 'done') break;
      killed += 1;
    }
    expect(killed).toBeGreaterThan(scale(20, 2));
    expect(killed).toBeLessThan(199);
  });

  test.skipIf(!CAN_TRACE)(
    'at each system call, where strace can inject a signal (skipped where it cannot)',
    async () => {
      const counts = await countSystemCalls();
      const moments = [...counts].flatMap(([call, { before, after }]) =>
        Array.from({ length: after - before }, (_, index) => ({ call, when: before + index + 1 })),
      );
      const chosen = moments.filter((_, index) => index % scale(1, 14) === 0);
      expect(chosen.length).toBeGreaterThan(0);
      const ends: string[] = [];
      for (const { call, when } of chosen) {
        const inject = `inject=${call}:signal=KILL:when=${when}`;
        ends.push(await killedOnce({ under: ['strace', '-f', '-o', '/dev/null', '-e', inject] }));
      }
      expect(ends.filter((end) => end === 'killed').length).toBeGreaterThan(chosen.length / 2);
    },
  );
});

/** One change and one publishing of a worker that is to be killed; what it was told is kept, and others can go on. */
async function killedOnce(options: WorkerOptions): Promise<'killed' | 'done'> {
  const { folder, planFile } = await preparePlan(3);
  const task = { folder, plan: PLAN, publish: 'each' } as const;
  const end = await runAppender({ ...task, payloads: [completion(0)] }, options);
  if (end.error !== undefined) throw new Error(JSON.stringify(end.error));
  await expectKept(folder, end.acknowledged);
  expectValidFile(planFile);
  if (end.reports.some(({ done }) => done === true)) return 'done';

  const log = await expectKept(folder, end.acknowledged);
  const [outcome] = await log.append([completion(1)]);
  expect(outcome?.refused).toBeNull();
  await log.publish('now');
  await expectKept(folder, [...end.acknowledged, outcome?.event.id ?? '']);
  return 'killed';
}

const CALLS = ['openat', 'write', 'pwrite64', 'fdatasync', 'fsync', 'rename', 'close', 'unlink', 'link'];

/** How often the thread that works on files made each system call before the change, and by its end. */
async function countSystemCalls(): Promise<ReadonlyMap<string, { before: number; after: number }>> {
  const { folder, eventLog } = await preparePlan(3);
  const trace = join(temporaryFolder(), 'trace');
  const end = await runAppender(
    { folder, plan: PLAN, payloads: [completion(0)], publish: 'each' },
    { under: ['strace', '-f', '-o', trace, '-e', `trace=${CALLS.join(',')}`] },
  );
  expect(end.reports.at(-1)).toEqual({ done: true });
  const lines = readFileSync(trace, 'utf8').split('\n');
  const first = lines.findIndex((line) => line.includes(basename(eventLog)) && line.includes('O_APPEND'));
  const thread = lines[first]?.split(' ')[0];
  const counts = new Map<string, { before: number; after: number }>();
  for (const [index, line] of lines.entries()) {
    const call = /^\d+ +(\w+)\(/.exec(line)?.[1];
    if (call === undefined || line.split(' ')[0] !== thread) continue;
    const { before, after } = counts.get(call) ?? { before: 0, after: 0 };
    counts.set(call, { before: index < first ? before + 1 : before, after: after + 1 });
  }
  return counts;
}
