import { setTimeout as wait } from 'node:timers/promises';

import { expect, test } from 'vitest';

import type { RunLog } from '../../src/features/runs/model/run-log.js';
import { repeatedly } from '../../src/host/repeatedly.js';
import type { RunStore } from '../../src/features/runs/storage/run-store.js';
import { memoryRuns, runPlan } from '../support/executing.js';

/** Long enough for several looks, of which each is made a quarter of a second after the last. */
const SEVERAL_LOOKS_MS = 900;

/** A store whose reading takes as long as its database is away. */
function awayStore(until: Promise<void>) {
  const store = memoryRuns();
  const looks = { now: 0, most: 0 };
  const slow = (log: RunLog): RunLog => ({
    ...log,
    get run() {
      return log.run;
    },
    async refresh() {
      looks.now += 1;
      looks.most = Math.max(looks.most, looks.now);
      await until;
      looks.now -= 1;
      return log.refresh();
    },
  });
  const away: RunStore = { ...store, create: async (prepared) => slow(await store.create(prepared)) };
  return { away, looks };
}

test('an executor waits for a look at its log before it looks again, however long that takes', async () => {
  const back = wait(SEVERAL_LOOKS_MS);
  const { away, looks } = awayStore(back);
  await runPlan(
    { steps: [{ id: 'a', tool: 't', args: {} }] },
    { tools: { t: () => back.then(() => ({})) } },
    { store: away },
  );
  expect(looks.most).toBe(1);
});

test('what is done again and again is so after trouble as well, until it is ended', async () => {
  let times = 0;
  await new Promise<void>((resolve) => {
    const end = repeatedly(1, async () => {
      times += 1;
      if (times === 3) {
        end();
        resolve();
      }
      throw new Error('no connection');
    });
  });
  await wait(20);
  expect(times).toBe(3);
});
