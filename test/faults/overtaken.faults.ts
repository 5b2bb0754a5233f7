import { statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { complete, expand, id, newWorkplace, PLAN } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';
import { CAN_TRACE, runPlan, under } from './support/strace.js';

/** What a writer waits for the disk, so that another has time to be faster. */
const SLOW_DISK = 'fdatasync:delay_exit=1500000';

/** A command whose change is in the log, while another takes its goal away before it has looked. */
async function overtaken(place: Workplace, args: readonly string[]) {
  const { size } = statSync(place.eventLog);
  const { folder, home } = place;
  const running = runPlan({ folder, home, under: under(SLOW_DISK) }, [...args, '--json']);
  while (statSync(place.eventLog).size === size) await wait(5);
  const [removed] = await place.change({ type: 'goal_removed', goal: id('a'), with_complete: true });
  expect(removed?.refused).toBeNull();
  return running;
}

describe.skipIf(!CAN_TRACE)(
  'a goal that another process takes away as soon as it is changed (strace)',
  () => {
    test.each([
      ['fail', ['fail', id('a'), '--reason', 'no sandbox'], 'failed', []],
      ['complete', ['complete', id('a'), '--summary', 'Did it'], 'complete', []],
      ['reopen', ['reopen', id('a')], 'atomic', [complete('a')]],
      ['edit', ['edit', id('a'), '--description', 'Do it better'], 'atomic', []],
    ] as const)('%s was accepted, and says so', async (_name, args, status, before) => {
      const place = await newWorkplace();
      await place.change(expand('root', ['a', 'b']), ...before);
      const { status: exit, out, stderr } = await overtaken(place, args);
      expect([exit, stderr]).toEqual([0, '']);
      const report = JSON.parse(out) as {
        readonly goal?: object;
        readonly changes?: readonly { readonly after: object }[];
        readonly plan: object;
      };
      expect(report.goal ?? report.changes?.[0]?.after).toMatchObject({ id: id('a'), status });
      expect(report.plan).toMatchObject({ id: PLAN });
      expect((await place.open()).plan.goals.has(id('a'))).toBe(false);
    });
  },
);
