import { getEventListeners } from 'node:events';

import { expect, test } from 'vitest';

import { pause } from '../../src/host/pause.js';

const DAY_MS = 86_400_000;

test('a pause ends when its time is over, when its signal aborts, and at once where that has happened', async () => {
  const over = new AbortController();
  await expect(pause(1, over.signal)).resolves.toBeUndefined();
  const waiting = pause(DAY_MS, over.signal);
  over.abort('that is enough');
  await expect(waiting).resolves.toBeUndefined();
  await expect(pause(DAY_MS, over.signal)).resolves.toBeUndefined();
});

test('a signal that lives long keeps nothing of a pause that is over', async () => {
  const { signal } = new AbortController();
  for (let index = 0; index < 20; index += 1) await pause(1, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
