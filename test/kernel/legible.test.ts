import { execFileSync } from 'node:child_process';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { foldLine, foldLines } from '../../src/kernel/text/fold-lines.js';
import { legible, legibleJson, legibleLine, widestColumns } from '../../src/kernel/text/legible.js';
import { shellWord } from '../../src/kernel/text/shell-word.js';
import { hostileText } from '../support/hostile-text.js';
import { UNSEEN, unseenText } from '../support/unseen-text.js';

const LAST = 0x10ffff;
/** What nobody sees, or that is drawn over, beside or in place of something else. */
const FORBIDDEN =
  /[\p{C}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\p{Default_Ignorable_Code_Point}\u2800\uFFFC\p{Me}\u0300-\u036F\u20D0-\u20FF]/u;

const SHORT = new Map(Array.from('nrt\\').map((letter, index) => [letter, '\n\r\t\\'[index] ?? '']));

/** What was made legible. */
function readBack(text: string): string {
  return text.replaceAll(
    /\\(?:u([0-9a-f]{4})|([nrt\\]))/g,
    (_all, code: string | undefined, letter: string) =>
      code === undefined ? (SHORT.get(letter) ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const anyText = fc.oneof(
  hostileText,
  unseenText,
  fc.string({
    unit: fc.constantFrom(
      '\\',
      'n',
      'u',
      '0041',
      '\n',
      ' ',
      '\u200b',
      'é',
      'e\u0301',
      'ก',
      '\u0e31',
      '\u0e49',
    ),
  }),
);

describe('a value that somebody agrees to', () => {
  test('is shown with each code point as it is, where it is plainly printable, or escaped', () => {
    const wrong: string[] = [];
    for (let code = 0; code <= LAST; code += 1) {
      const character = String.fromCodePoint(code);
      const shown = legible(character);
      if (readBack(shown) !== character || (shown === character ? FORBIDDEN : /[^\x20-\x7E]/).test(shown))
        wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  test('is never shown as another is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(readBack(legible(text))).toBe(text);
      }),
    );
  });

  test('has nothing in it that is not seen, wherever it stands', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        for (const text of [
          legible(one + other),
          legibleLine(one + other),
          legibleLine(legible(one) + legible(other)),
        ]) {
          expect(text).not.toMatch(FORBIDDEN);
          expect(legibleLine(text)).toBe(text);
        }
        expect(legible(one)).not.toMatch(/^ | $/);
      }),
    );
  });

  test.each([
    'Żółw, Ångström, naïve',
    'Настройка сервера — 5 ₽',
    '設計書を読む。한국어 ﾃｽﾄ',
    'שָׁלוֹם, مرحبًا, شكراً جداً',
    'नमस्ते क्षत्रिय, ভাষা, ਪੰਜਾਬੀ, ગુજરાતી, தமிழ், తెలుగు, ಕನ್ನಡ, മലയാളം',
    'น้ำใจ ที่นี่, ພາສາລາວ, မြန်မာဘာသာ ကြောင့်, ភាសាខ្មែរ, བོད་སྐད',
    'A 📦 for ½ € · “quoted” → ✓ 🇩🇪',
  ])('is shown as it is written where its script needs it: %s', (text) => {
    expect(legible(text)).toBe(text);
  });

  test.each([
    ...UNSEEN.map(([what, mark]): [string, string] => [what, `a${mark}b`]),
    ['marks in a pile', `ก${'\u0e49'.repeat(9)}`],
    ['a mark of another script', 'a\u0e31'],
    ['a mark that begins', '\u0e31a'],
    ['what strikes out', 'd\u0336e\u0336l'],
    ['an emoji of several', '👩\u200d👧'],
    ['a blank of Braille', '\u2800'],
    ['spaces at the ends', ' a '],
    ['an override', 'a\u202eb'],
    ['a private character', '\ue0b0'],
    ['what no font has', '\u0378'],
  ])('is escaped: %s', (_what, text) => {
    expect(legible(text)).toMatch(/\\u[0-9a-f]{4}/);
    expect(legible(text)).not.toMatch(FORBIDDEN);
  });

  test('stays the same JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyText, fc.constantFrom(undefined, 2, '\t'), (value, text, space) => {
        const json = JSON.stringify({ [text]: value, text }, null, space);
        expect(JSON.parse(legibleJson(json))).toEqual(JSON.parse(json));
        expect(legibleJson(json).replaceAll(/[\n\t]/g, '')).not.toMatch(FORBIDDEN);
      }),
    );
  });

  test('is a word that a shell reads as it is', () => {
    const words = fc.sample(
      anyText.filter((text) => !/[\0\p{Cs}]/u.test(text)),
      300,
    );
    const shown = words.map(shellWord);
    for (const word of shown) expect(word).not.toMatch(FORBIDDEN);
    const input = `printf '%s\\0' ${shown.join(' ')}\n`;
    const read = execFileSync('bash', { input, encoding: 'utf8' });
    expect(read.split('\0').slice(0, -1)).toEqual(words);
  });
});

describe('lines', () => {
  const unit = fc.constantFrom(
    'a',
    ' ',
    '漢',
    '🙂',
    '\\n',
    '│ ',
    'é',
    'word',
    'ที่',
    '\u{11347}',
    '\n',
    'hint: run x',
  );

  test('are folded at every width without a character left out or put in', () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 200 }), fc.integer({ min: 20, max: 90 }), (text, columns) => {
        const line = `    n: ${legible(text)}`;
        const folded = foldLines([line], columns);
        expect(folded.map((each, index) => (index === 0 ? each : each.slice(6))).join('')).toBe(line);
        expect(folded.slice(1).every((each) => each.startsWith('    │ '))).toBe(true);
        expect(folded.every((each) => widestColumns(each) <= columns && !/\u11347/u.test(each))).toBe(true);
        // A line that was folded stays as it is.
        expect(foldLines(folded, columns)).toEqual(folded);
        // Its parts are styled where they stand.
        const mark = (open: string, close: string) => (part: string) => `${open}${part}${close}`;
        const styled = foldLine(
          [
            { text: '    n: ', paint: mark('<', '>') },
            { text: legible(text), paint: mark('[', ']') },
          ],
          columns,
        );
        expect(styled.map((each) => each.replaceAll(/[<>[\]]/g, ''))).toEqual(folded);
      }),
    );
  });

  test('are never broken between a letter and its marks', () => {
    for (let columns = 20; columns < 40; columns += 1)
      for (const line of foldLines([`  ${'ที่นี่ကြောင့်'.repeat(20)}`], columns))
        expect(line.replace(/^ *(?:│ )?/, '')).not.toMatch(/^\p{M}/u);
  });

  test.each([1, 2, 5, 10])('end, however narrow they are: %d columns', (columns) => {
    expect(foldLines([`    ${'漢 '.repeat(10)}`], columns).join('')).toContain('漢');
  });
});
