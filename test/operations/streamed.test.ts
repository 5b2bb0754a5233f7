import { expect, test } from 'vitest';

import { streamed } from '../../src/operations/shared/streamed.js';

test('what is told after a reader has left is kept for nobody', async () => {
  let tell: (event: number) => void = () => undefined;
  let end: () => void = () => undefined;
  const run = streamed<number, null>((told) => {
    tell = told;
    return new Promise((resolve) => {
      end = () => resolve(null);
    });
  });
  tell(1);
  for await (const event of run) {
    expect(event).toBe(1);
    break;
  }
  for (let event = 2; event < 5000; event += 1) tell(event);
  const seen: number[] = [];
  const reading = (async () => {
    for await (const event of run) seen.push(event);
  })();
  tell(5000);
  end();
  await reading;
  expect(seen).toEqual([5000]);
  expect(await run.result).toBeNull();
});
