import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { temporaryFolder } from '../support/folders.js';
import { expand, id, newWorkplace, PLAN } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';
import { scale } from './support/scale.js';
import { CAN_TRACE, runPlan, under } from './support/strace.js';

const filesOfPlan = ({ store }: Workplace) => readdirSync(store).filter((name) => name.startsWith(PLAN));

async function workplace(): Promise<Workplace> {
  const place = await newWorkplace();
  await place.change(expand('root', ['a', 'b']));
  return place;
}

describe.skipIf(!CAN_TRACE)('deleting for good while others publish (strace)', () => {
  test('a publisher that comes late brings no file of the plan back', async () => {
    const place = await workplace();
    const { folder, home } = place;
    // It has written the plan file anew under another name, and waits before it renames that.
    const slow = under('/^rename:delay_enter=2500000');
    const late = runPlan({ folder, home, under: slow }, ['complete', id('a'), '--json']);
    while (!filesOfPlan(place).some((name) => name.startsWith(`${PLAN}.json.`))) await wait(5);
    expect((await place.run(['delete', PLAN, '--purge'])).status).toBe(0);
    const { status, stderr } = await late;
    expect([status, stderr.includes('went wrong inside')]).toEqual([0, false]);
    expect(filesOfPlan(place)).toEqual([]);
    expect((await place.run(['list', '--json'])).json()).toEqual({ plans: [] });
  });

  test('it is on the disk before it is acknowledged', async () => {
    const { folder, home, store } = await workplace();
    const trace = join(temporaryFolder(), 'trace');
    const calls = 'trace=/^(openat|rename|unlink|fsync|write)';
    const traced = ['strace', '-f', '-qq', '-y', '-o', trace, '-e', calls];
    const { status } = await runPlan({ folder, home, under: traced }, ['delete', PLAN, '--purge']);
    expect(status).toBe(0);
    const lines = readFileSync(trace, 'utf8').split('\n');
    const lastOf = (pattern: RegExp) => lines.findLastIndex((line) => pattern.test(line));
    const gone = lastOf(new RegExp(`(rename|unlink)[a-z0-9]*\\(.*${PLAN}[^ ]*"`));
    const synced = lastOf(new RegExp(`fsync\\(\\d+<${store}>`));
    const told = lastOf(/write\(1<.*Deleted/);
    expect(gone).toBeGreaterThan(0);
    expect([gone < synced, synced < told]).toEqual([true, true]);
  });

  test('killed at each call that renames or removes: the plan is whole or gone', async () => {
    const ends = new Set<string>();
    for (const call of ['rename', 'unlink', 'fsync']) {
      for (let when = 1; when <= 12; when += scale(1, 3)) {
        const place = await workplace();
        const { folder, home } = place;
        const before = (await place.run(['log', PLAN, '--json'])).json();
        const killed = under(`${call}:signal=KILL:when=${when}`);
        const { signal } = await runPlan({ folder, home, under: killed }, ['delete', PLAN, '--purge']);
        const after = await place.run(['log', PLAN, '--json']);
        if (signal === null) expect(after.status).toBe(3);
        else if (after.status === 0) expect(after.json()).toEqual(before);
        else expect(after.status).toBe(3);
        ends.add(`${signal === null ? 'done' : 'killed'}, ${after.status === 0 ? 'whole' : 'gone'}`);
        const again = await place.run(['delete', PLAN, '--purge']);
        expect([0, 3]).toContain(again.status);
        expect((await place.run(['doctor', '--fix'])).status).toBe(0);
        expect(filesOfPlan(place)).toEqual([]);
        expect(existsSync(place.store)).toBe(true);
        if (signal === null) break;
      }
    }
    expect(ends).toContain('killed, whole');
    expect(ends).toContain('killed, gone');
  });
});
