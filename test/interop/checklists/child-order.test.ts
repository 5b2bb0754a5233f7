import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { moveInto } from '../../../src/features/interop/checklists/child-order.js';
import { tooMuchGrowth } from '../../support/patterns/growth.js';

const rowOf = (letters: string) => letters.split('');
const row = fc.uniqueArray(fc.constantFrom(...rowOf('abcdefghij')), { maxLength: 10 });

function moved(from: readonly string[], moves: ReturnType<typeof moveInto>): readonly string[] {
  const found = [...from];
  for (const { id, index } of moves) {
    found.splice(found.indexOf(id), 1);
    found.splice(index, 0, id);
  }
  return found;
}

test('any row comes into any other order, with what that lacks at its end, and no goal moves twice', () => {
  fc.assert(
    fc.property(row, row, (from, to) => {
      const wanted = to.filter((id) => from.includes(id));
      const rest = from.filter((id) => !to.includes(id));
      const moves = moveInto(from, to);
      expect(moved(from, moves)).toEqual([...wanted, ...rest]);
      expect(new Set(moves.map(({ id }) => id)).size).toBe(moves.length);
    }),
  );
});

test('one that went far is moved itself, and not all that it passed', () => {
  const from = rowOf('abcdefgh');
  expect(moveInto(from, rowOf('bcdefgha'))).toEqual([{ id: 'a', index: 7 }]);
  expect(moveInto(from, rowOf('habcdefg'))).toEqual([{ id: 'h', index: 0 }]);
  expect(moveInto(from, from)).toEqual([]);
});

test('the moves that turn a row round take as long as it has goals', () => {
  const turn = (length: number) => {
    const from = Array.from({ length }, (_, index) => `goal-${index}`);
    expect(moveInto(from, from.toReversed())).toHaveLength(length - 1);
  };
  expect(tooMuchGrowth(turn, { from: 1_000, to: 16_000, misses: 3 })).toBeUndefined();
});
