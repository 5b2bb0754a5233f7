import { readdirSync, readFileSync } from 'node:fs';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { sourceText } from '../../../src/work/digests/digest-source.js';
import type { DigestSource } from '../../../src/work/digests/digest-source.js';
import { extractDigest } from '../../../src/work/digests/extract-digest.js';
import { measureFidelity } from '../../../src/work/digests/fidelity.js';
import { countTokens } from '../../../src/llm/spend/tokens.js';
import { readFixture } from '../../support/plans.js';

const NAMES = readdirSync(new URL('../../fixtures/digests/', import.meta.url)).toSorted();
const PAGE = readFileSync(new URL('../../../docs/digests.md', import.meta.url), 'utf8');

function source(text: string, rest: Partial<DigestSource> = {}): DigestSource {
  return { text, decisions: [], artifacts: [], ...rest };
}

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

describe('twenty texts of 200 to 3,000 words', () => {
  test('are twenty', () => {
    expect(NAMES).toHaveLength(20);
  });

  test.each(NAMES)(
    '%s: 300 tokens or a fifth at most, and the fidelity that docs/digests.md prints',
    async (name) => {
      const text = readFixture(`digests/${name}`);
      expect(words(text)).toBeGreaterThanOrEqual(200);
      expect(words(text)).toBeLessThanOrEqual(3000);
      const { digest, fidelity } = await extractDigest(source(text), countTokens);
      const tokens = await countTokens(sourceText(digest));
      const ratio = tokens / (await countTokens(text));
      expect(tokens <= 300 || ratio <= 0.2).toBe(true);
      expect(digest.compression_ratio).toBeCloseTo(ratio, 2);
      expect(words(digest.summary)).toBeLessThanOrEqual(100);
      // Measured once more, from the digest alone.
      const again = measureFidelity(source(text), digest);
      expect(again.score).toBe(fidelity.score);
      expect(digest.fidelity_score).toBe(Math.floor(again.score * 1000) / 1000);
      const found = `${again.facts - again.missing.length}/${again.facts}`;
      const figures = [
        words(text),
        digest.compression_ratio?.toFixed(3),
        found,
        digest.fidelity_score?.toFixed(3),
      ];
      expect(PAGE.replaceAll(/ +/g, ' ')).toContain(`\n${name.replace('.md', '')} ${figures.join(' ')}\n`);
    },
  );
});

describe('a digest without a model', () => {
  test('of a short account is the account', async () => {
    const { digest, fidelity } = await extractDigest(
      source('Login works. Sessions last 30 minutes.', {
        decisions: ['Chose RS256 over HS256'],
        artifacts: ['auth/jwt.py'],
      }),
      countTokens,
    );
    expect(digest).toEqual({
      summary: 'Login works. Sessions last 30 minutes.',
      key_decisions: ['Chose RS256 over HS256'],
      artifacts: ['auth/jwt.py'],
      compression_ratio: 1,
      fidelity_score: 1,
    });
    expect(fidelity.missing).toEqual([]);
  });

  test('begins with the first statement and keeps the order of the source', async () => {
    const text = readFixture('digests/postmortem-checkout.md');
    const { digest } = await extractDigest(source(text), countTokens);
    const places = digest.summary.split(/(?<=\.) /).map((sentence) => text.indexOf(sentence.slice(0, 20)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(digest.summary.startsWith('Between 09:12 and 10:47 UTC')).toBe(true);
  });

  test('keeps the decisions and artifacts that were named before what the text says besides', async () => {
    const { digest } = await extractDigest(
      source(readFixture('digests/design-offline-sync.md'), {
        decisions: ['Dropped SQLCipher, 3 times slower'],
        artifacts: ['sim/converge_test.dart'],
      }),
      countTokens,
    );
    expect(digest.key_decisions).toContain('Dropped SQLCipher, 3 times slower');
    expect(digest.artifacts).toContain('sim/converge_test.dart');
  });

  test.each([
    ['a short account', 'The sheets are printed.'],
    ['a long one', readFixture('digests/design-offline-sync.md')],
  ])(
    'of %s has every decision and artifact that fits into 300 tokens, however many they are',
    async (_, text) => {
      const decisions = Array.from({ length: 25 }, (__, index) => `Box ${index + 1}: red`);
      const artifacts = Array.from({ length: 24 }, (__, index) => `s/${index + 1}.md`);
      const { digest } = await extractDigest(source(text, { decisions }), countTokens);
      expect(digest.key_decisions).toEqual(expect.arrayContaining(decisions));
      expect((await extractDigest(source(text, { artifacts }), countTokens)).digest.artifacts).toEqual(
        expect.arrayContaining(artifacts),
      );
    },
  );

  test('has a summary of fewer than 100 words and says of itself what is measured, whatever the text', async () => {
    const sentence = fc.array(
      fc.constantFrom('Redis', 'cache', '40', 'ms', 'not', '`run`', 'a/b.ts', 'was', 'chose,'),
      {
        minLength: 1,
        maxLength: 30,
      },
    );
    const texts = fc
      .array(sentence, { maxLength: 60 })
      .map((all) => all.map((one) => `${one.join(' ')}.`).join('\n\n'));
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.array(fc.string({ maxLength: 80 }), { maxLength: 5 }),
        async (text, decisions) => {
          const given = source(text, { decisions });
          const { digest, fidelity } = await extractDigest(given, countTokens);
          expect(words(digest.summary)).toBeLessThan(100);
          expect(digest.fidelity_score).toBeLessThanOrEqual(1);
          expect(measureFidelity(given, digest).score).toBe(fidelity.score);
          expect((await extractDigest(given, countTokens)).digest).toEqual(digest);
        },
      ),
      { numRuns: 40 },
    );
  });
});
