import { describe, expect, test } from 'vitest';

import { foldLines } from '../../src/kernel/text/fold-lines.js';
import { legible, widestColumns } from '../../src/kernel/text/legible.js';
import { cursorsAfter } from '../support/measuring-terminal.js';
import { hasTmux } from '../support/screen.js';

const LAST = 0x10ffff;

/** Every code point, halves of surrogate pairs included. */
function codePoints(): readonly string[] {
  return Array.from({ length: LAST + 1 }, (_each, code) => String.fromCodePoint(code));
}

function chunked<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_each, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

/** Letters with each mark that is shown after them, and in a row what joins in some scripts. */
function joined(): readonly string[] {
  const letters = Array.from('بবदગਗבᬅកಕລമကଓකܒதతސกཀ한각한ᄒ🇩👍👩e');
  const marks = codePoints().filter((character) =>
    /\p{M}|\p{RI}|\p{Emoji_Modifier}|[\u1160-\u11FF]/u.test(character),
  );
  return letters.flatMap((letter) =>
    chunked(marks, 8).flatMap((some) => [
      some.map((mark) => `${letter}${mark}`).join(''),
      `${letter}${some.join('')}`,
    ]),
  );
}

describe.skipIf(!hasTmux)('a real terminal (needs tmux)', () => {
  test('puts no character that is shown further than is counted, alone or after others', async () => {
    const shown = codePoints().filter((character) => legible(character) === character);
    expect(shown.length).toBeGreaterThan(140_000);
    const texts = [...shown, ...chunked(shown, 30).map((some) => some.join('')), ...joined().map(legible)];
    const cursors = await cursorsAfter(texts, { columns: 240, rows: 5 });
    const wrong = texts.flatMap((text, index) => {
      const { row, column } = cursors[index] ?? { row: -1, column: -1 };
      return row * 240 + column <= widestColumns(text) && row >= 0
        ? []
        : [[text, row, column, widestColumns(text)]];
    });
    expect(wrong).toEqual([]);
    // What is escaped is ASCII, which every terminal counts alike.
    const changed = codePoints().filter((character) => legible(character) !== character);
    expect(changed.filter((character) => !/^[\x20-\x7E]+$/.test(legible(character)))).toEqual([]);
  });

  test('shows no line of a value that is not marked, whatever characters it has', async () => {
    const all = codePoints();
    const shown = all.filter((character) => legible(character) === character);
    const value = (characters: readonly string[]) => `  - ${legible(characters.join(''))}`;
    const json = (characters: readonly string[]) => `  name: ${JSON.stringify(characters.join(' '))}`;
    for (const [characters, made, columns] of [
      [all, value, 80],
      [shown, json, 80],
      [shown, value, 23],
    ] as const) {
      const lines = chunked(characters, 300).flatMap((some) => foldLines([made(some)], columns));
      expect(lines.filter((line) => !/^ {2}(?:- |name: |│ )/.test(line))).toEqual([]);
      expect(lines.filter((line) => widestColumns(line) > columns)).toEqual([]);
      // As many lines on the screen as were written: the terminal has broken none.
      const texts = chunked(lines, 40).map((some) => some.join('\r\n'));
      const cursors = await cursorsAfter(texts, { columns, rows: 60 });
      expect(cursors.map(({ row }) => row)).toEqual(texts.map((text) => text.split('\r\n').length - 1));
    }
  });
});
