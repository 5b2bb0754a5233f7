import fc from 'fast-check';
import { expect, test } from 'vitest';

import { breakLine } from '../../src/kernel/text/break-line.js';
import { graphemesOf } from '../../src/kernel/text/truncate.js';
import { tooMuchGrowth } from '../support/patterns/growth.js';

const PARTS = [
  'a',
  'é',
  'e\u0301',
  '👨‍👩‍👧',
  '🇩🇪',
  '🇩',
  '\u200d',
  '한',
  '\u1112\u1161\u11ab',
  '\r\n',
  '\ud83d',
  'क्षि',
];
const intl = new Intl.Segmenter('und', { granularity: 'grapheme' });

test('a long text is split as it would be at once', () => {
  const parts = fc.array(fc.tuple(fc.constantFrom(...PARTS), fc.integer({ min: 1, max: 700 })), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(parts, (runs) => {
      const text = runs.map(([part, times]) => part.repeat(times)).join('');
      const split = (segments: Iterable<{ readonly segment: string }>) =>
        Array.from(segments, ({ segment }) => segment);
      expect(split(graphemesOf(text))).toEqual(split(intl.segment(text)));
    }),
    { numRuns: 60 },
  );
});

test.each([['a'], ['–'], ['😀'], ['e\u0301']])(
  'a word of %s is broken in time that grows as it does',
  (letter) => {
    expect(
      tooMuchGrowth((length) => breakLine(letter.repeat(length), 80), { from: 5000, to: 80_000 }),
    ).toBeUndefined();
  },
);

test('one character of a million joiners is one', () => {
  expect([...graphemesOf(`a${'\u200d'.repeat(300_000)}`)]).toHaveLength(1);
});
