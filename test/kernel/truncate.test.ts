import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';

import { truncate } from '../../src/kernel/text/truncate.js';
import { wellFormed } from '../../src/kernel/text/well-formed.js';
import { UNSEEN, unseenText } from '../support/unseen-text.js';

describe('truncating', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['one too many', 11, 'one too ma…'],
    ['日本語の目標', 12, '日本語の目標'],
    ['日本語の目標', 8, '日本語…'],
    ['日本語の目標', 7, '日本語…'],
    ['Fix 👩‍👩‍👧‍👦 and go', 6, 'Fix …'],
    ['Fix 👩‍👩‍👧‍👦 and go', 7, 'Fix 👩‍👩‍👧‍👦…'],
    ['Cafe\u0301 noir', 5, 'Cafe\u0301…'],
    ['🇩🇪🇫🇷🇮🇹', 5, '🇩🇪🇫🇷…'],
    ['anything', 1, '…'],
    ['', 5, ''],
  ])('%s to %i columns is %s', (text, columns, expected) => {
    expect(truncate(text, columns)).toBe(expected);
  });

  test('never takes more columns than it may, and cuts no character in two', () => {
    const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (text, columns) => {
          const cut = truncate(text, columns);
          expect(stringWidth(cut)).toBeLessThanOrEqual(columns);
          if (cut === text) return;
          const whole = [...segmenter.segment(text)].map(({ segment }) => segment);
          const kept = cut.slice(0, -1);
          const ends = whole.map((_, index) => whole.slice(0, index).join(''));
          expect(ends).toContain(kept);
        },
      ),
    );
  });

  test('keeps at most 16 UTF-16 units a column, however many characters take no column', () => {
    fc.assert(
      fc.property(unseenText, fc.integer({ min: 1, max: 40 }), (text, columns) => {
        const cut = truncate(text, columns);
        expect(cut.length).toBeLessThanOrEqual(16 * columns + 1);
        expect(stringWidth(cut)).toBeLessThanOrEqual(columns);
        expect(cut === text || cut.endsWith('…')).toBe(true);
        expect(wellFormed(cut)).toBe(cut);
      }),
    );
  });

  test.each(UNSEEN)('a character of a million marks is left out: %j', (_name, mark) => {
    expect(truncate(`ab e${mark.repeat(1_000_000)}`, 2000).length).toBeLessThanOrEqual(2000 * 16 + 1);
    expect(truncate(`ab 👩${mark.repeat(1_000_000)}`, 2000)).toMatch(/^ab .*…$/su);
  });

  test.each([
    ['a family with tones of skin', '👩🏻‍❤️‍💋‍👩🏿', 2],
    ['flags of regions', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 2],
    ['Devanagari', 'कार्त्स्न्य', 11],
    ['Hebrew with vowels and accents', 'בְּרֵאשִׁ֖ית', 7],
    ['Arabic with vowels', 'بِسْمِ ٱللَّهِ', 9],
    ['Tibetan', 'བསྒྲུབས་ཧཱུྃ', 9],
    ['Vietnamese with marks apart', 'Việt Nam được'.normalize('NFD'), 13],
    ['Thai with breaks between words', 'ภาษา\u200Bไทย\u200Bที่\u200B', 9],
  ])('no writing is cut by its marks: %s', (_name, word, columns) => {
    expect(truncate(word.repeat(20), columns * 20)).toBe(word.repeat(20));
  });

  test('a text of ten megabytes is cut without looking at all of it', () => {
    expect(truncate('é'.repeat(10_000_000), 20)).toBe(`${'é'.repeat(19)}…`);
  });
});

test('no message quotes the half of a character: each quoted text that may be long goes through truncate', () => {
  const cutting = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) =>
      Array.from(
        readFileSync(join('src', name), 'utf8').matchAll(
          /JSON\.stringify\([\w.]+\.slice\(0.*|“\$\{[\w.]+\.slice\(.*/g,
        ),
        ([found]) => `${name}: ${found}`,
      ),
    );
  expect(cutting).toEqual([]);
});
