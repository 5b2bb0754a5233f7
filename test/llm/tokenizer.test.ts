import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';

import { rankTableOf, readRankTable } from '../../src/llm/spend/rank-table.js';
import { countTokensOfPart as countInSources } from '../../src/llm/spend/tokenizer.js';

/** As the encoding's library counts; special tokens are text. */
const counted = (text: string) =>
  countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() });

const built = new URL('../../dist/llm/spend/tokenizer.js', import.meta.url).href;
const { countTokensOfPart: countBuilt } = (await import(built)) as {
  countTokensOfPart: typeof countInSources;
};

const TEXTS: readonly (readonly [string, string])[] = [
  ...['README.md', 'CHANGELOG.md', 'package-lock.json', 'docs/format.md'].map((name): [string, string] => [
    name,
    readFileSync(name, 'utf8').slice(0, 60_000),
  ]),
  [
    'many scripts',
    'Übergröße 漢字かな交じり文 Привет, мир! שלום עולם مرحبا بالعالم नमस्ते दुनिया สวัสดีชาวโลก 안녕하세요 👩‍👩‍👧‍👦🏳️‍🌈 é é ﬁ',
  ],
  ['half characters', 'a\ud800b \udc00\ud83d x\ud83d\ude00'],
  ['blanks', ' \n\n\t  \r\n x  \u00a0 \u3000\n'],
  ['special tokens', '<|endoftext|><|im_start|>user<|im_sep|>'],
  ['one of each byte', Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('')],
];

test.each(TEXTS)('counts %s as the library of the encoding does', (_name, text) => {
  expect([countInSources(text), countBuilt(text)]).toEqual([counted(text), counted(text)]);
});

test('counts any text as the library of the encoding does', () => {
  const words = fc.stringMatching(/^[A-Za-z0-9 .,_()'\-\n]{0,60}$/);
  const any = fc.string({ unit: 'binary', maxLength: 60 });
  fc.assert(
    fc.property(fc.oneof(words, any, fc.string({ unit: 'grapheme' })), (text) => {
      expect([countInSources(text), countBuilt(text)]).toEqual([counted(text), counted(text)]);
    }),
  );
});

test('a table finds each of its tokens within other bytes, and nothing else', () => {
  const token = fc.uint8Array({ minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.uniqueArray(token, { selector: String, maxLength: 40 }), token, (tokens, other) => {
      const { rankOf } = readRankTable(rankTableOf(tokens.map((bytes) => [...bytes])));
      const found = tokens.map((bytes) => rankOf(Uint8Array.of(0, ...bytes, 0), 1, bytes.length + 1));
      expect(found).toEqual([...tokens.keys()]);
      const rank = tokens.findIndex((bytes) => String(bytes) === String(other));
      expect(rankOf(other, 0, other.length)).toBe(rank === -1 ? Infinity : rank);
    }),
  );
});
