import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { layeredMap } from '../../src/kernel/layered-map.js';

const changes = fc.array(fc.tuple(fc.nat(300).map(String), fc.option(fc.nat())), { maxLength: 700 });

test('every version of a layered map is the map of its changes', () => {
  fc.assert(
    fc.property(changes, fc.array(fc.nat(700), { maxLength: 5 }), (made, looked) => {
      const versions = [layeredMap<number | null>()];
      for (const [key, value] of made) versions.push((versions.at(-1) ?? layeredMap()).with(key, value));
      for (const index of [...looked, versions.length - 1]) {
        const version = versions[Math.min(index, versions.length - 1)];
        const model = new Map(made.slice(0, index));
        expect([...(version ?? [])]).toEqual([...model]);
        expect(version?.size).toBe(model.size);
        for (let key = 0; key <= 301; key += 1)
          expect(version?.get(String(key))).toBe(model.get(String(key)));
      }
    }),
    { numRuns: 30 },
  );
});

test('two that go on from the same version know nothing of each other', () => {
  let base = layeredMap<number>();
  for (let index = 0; index < 200; index += 1) base = base.with(String(index), index);
  const [left, right] = [base.with('0', -1), base.with('new', 1)];
  expect([base.get('0'), left.get('0'), right.get('0')]).toEqual([0, -1, 0]);
  expect([base.size, left.size, right.size]).toEqual([200, 200, 201]);
});
