import { setTimeout } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createJobSlots } from '../../src/features/teams/workers/job-slots.js';

/** Places that so many loops take again and again, which look at `jobs`; what they saw is told in `looks`. */
function looking(loops: number, places: ReturnType<typeof createJobSlots>) {
  const state = { looks: 0, jobs: 0, inHand: 0 };
  const loop = async (): Promise<void> => {
    for (;;) {
      await places.take();
      if (isOver) return;
      const begun = places.begin();
      state.looks += 1;
      await setTimeout(1);
      if (state.jobs === 0) places.empty(begun);
      else {
        state.jobs -= 1;
        state.inHand += 1;
        places.found();
      }
    }
  };
  let isOver = false;
  const done = Array.from({ length: loops }, loop);
  const close = async () => {
    isOver = true;
    places.close();
    await Promise.all(done);
  };
  return { state, close };
}

test('once there is nothing, one look a pause and one for each job that is told of', async () => {
  const places = createJobSlots(8, 60_000);
  const { state, close } = looking(12, places);
  await setTimeout(30);
  // All places look at first, for nobody knows.
  expect(state.looks).toBe(8);
  state.jobs = 2;
  places.told(3);
  await setTimeout(30);
  expect(state).toMatchObject({ jobs: 0, inHand: 2 });
  expect(state.looks).toBeLessThanOrEqual(8 + 3 + 6);
  const before = state.looks;
  await setTimeout(30);
  expect(state.looks).toBe(before);
  await close();
});

test('whoever is told of nothing looks again after the pause, and nobody waits when they are closed', async () => {
  const places = createJobSlots(1, 20);
  const { state, close } = looking(3, places);
  await setTimeout(5);
  state.jobs = 1;
  while (state.inHand < 1) await setTimeout(5);
  // Its place is taken until it is given back.
  state.jobs = 1;
  await setTimeout(60);
  expect(state).toMatchObject({ jobs: 1, inHand: 1 });
  places.free();
  while (state.inHand < 2) await setTimeout(5);
  await close();
});
