import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';

import { columnsOf } from '../../src/kernel/text/columns.js';
import { scale } from '../faults/support/scale.js';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

test.each([
  'a',
  'é',
  'e\u0301',
  '日',
  '한',
  '\u1112\u1161\u11ab',
  'ﾊﾞ',
  '​',
  '\u0007',
  '\u00ad',
  '🇩🇪',
  '🇩',
  '👩‍👩‍👧‍👦',
  '👍🏽',
  '☺',
  '☺️',
  '1️⃣',
  '#⃣',
  '⌚',
  '❤️‍🔥',
  '❤‍🔥',
  'கா',
  'क्ष',
  'நி',
  '\ud83d',
])('%j takes the columns that the package for it says', (grapheme) => {
  expect(columnsOf(grapheme)).toBe(stringWidth(grapheme));
});

test('no grapheme takes more columns than it is given', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
      for (const { segment } of segmenter.segment(text))
        expect([segment, columnsOf(segment)]).toEqual([segment, stringWidth(segment)]);
    }),
    { numRuns: scale(2000, 500) },
  );
});
