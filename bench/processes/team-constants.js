// Opens a plan that is kept in PostgreSQL, and answers with what that took and what it holds in memory.
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import { createPostgresStore } from '../../dist/features/teams/postgres/postgres-store.js';
import { hasAmpleRoom } from '../../dist/planning/child-quota.js';
import { waitingPlaces } from '../../dist/planning/frontier.js';
import { isWaiting } from '../../dist/plan/plan.js';
import { median } from '../support/statistics.js';
import { newStamp } from '../support/stores.js';

const ROUNDS = 21;

process.once('message', (/** @type {any} */ task) => void open(task));

async function open(/** @type {any} */ { url, small, large }) {
  const store = createPostgresStore({ url, stamp: newStamp(), now: Date.now });
  await store.open(small);
  const before = heldBytes();
  const begun = performance.now();
  const { plan } = await store.open(large);
  const openMs = performance.now() - begun;
  // What was read is let go of with the next turns.
  await wait(100);
  const bytes = heldBytes() - before;
  const goal = [...plan.goals.values()].find(isWaiting);
  const far = { max_goals: 10_000_000, max_children: 7, max_depth: 10, order: 'breadth' };
  const again = performance.now();
  await store.open(large, 'log');
  process.send?.({
    openMs,
    openLogMs: performance.now() - again,
    bytes,
    countMs: timed(() => hasAmpleRoom(plan, goal, /** @type {any} */ (far))),
    placesMs: timed(() => [...waitingPlaces(plan)].length),
  });
}

function heldBytes() {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function timed(/** @type {() => unknown} */ work) {
  return median(
    Array.from({ length: ROUNDS }, () => {
      const begun = performance.now();
      work();
      return performance.now() - begun;
    }),
  );
}
