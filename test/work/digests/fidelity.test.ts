import { readdirSync } from 'node:fs';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { inventedFacts, measureFidelity } from '../../../src/work/digests/fidelity.js';
import type { DigestContent, DigestSource } from '../../../src/work/digests/digest-source.js';
import { readFixture } from '../../support/plans.js';

const TEXTS = readdirSync(new URL('../../fixtures/digests/', import.meta.url)).map((name) =>
  readFixture(`digests/${name}`),
);

function source(text: string, rest: Partial<DigestSource> = {}): DigestSource {
  return { text, decisions: [], artifacts: [], ...rest };
}

function digest(summary: string, rest: Partial<DigestContent> = {}): DigestContent {
  return { summary, key_decisions: [], artifacts: [], ...rest };
}

function missing(text: string, summary: string): readonly string[] {
  return measureFidelity(source(text), digest(summary)).missing.map(({ kind, key }) => `${kind} ${key}`);
}

describe('a fact is found', () => {
  test.each([
    ['It took 1,200 ms.', 'Took 1.2 seconds.'],
    ['There are three endpoints.', '3 endpoints'],
    ['See src/auth/token.ts.', 'Wrote token.ts.'],
    ['Calls `fetchUser()`.', 'calls fetchUser'],
    ['We asked Grace Hopper.', 'GRACE HOPPER was asked'],
    ['The client does not retry uploads.', 'No upload retries.'],
    [
      'Removed the legacy endpoint.',
      'The legacy endpoint is gone: it was removed. The legacy endpoint was dropped.',
    ],
    ['We chose Postgres as the queue for jobs.', 'Postgres chosen as job queue.'],
  ])('%s in: %s', (text, summary) => {
    expect(missing(text, summary)).toEqual([]);
  });
});

describe('a fact is lost', () => {
  test.each([
    ['It took 1,200 ms.', 'It took 1,300 ms.', 'number 1200ms'],
    ['It took 1,200 ms.', 'It took 1,200 s.', 'number 1200ms'],
    ['There are 14 endpoints.', 'There are 14 tests.', 'number 14 endpoint'],
    ['The client does not retry uploads.', 'The client retries uploads.', 'negation not retri upload'],
    ['It does not run on Windows.', 'It runs on Windows.', 'name windows'],
    ['It runs on our Windows machines.', 'It does not run on Windows.', 'name windows'],
    ['The endpoint was not removed.', 'The endpoint was removed.', 'negation not not endpoint'],
    ['We chose RS256 over HS256.', 'We chose HS256 over RS256.', 'negation not hs256'],
    ['Uses a port, 80801.', 'Uses a port, 8080.', 'number 80801'],
    ['Calls readFile.', 'Calls readFileSync.', 'identifier readfile'],
  ])('%s in: %s', (text, summary, lost) => {
    expect(missing(text, summary)).toContain(lost);
  });

  test('a file name that two paths share does not stand for either', () => {
    expect(missing('Changed src/a/index.ts and src/b/index.ts.', 'Changed index.ts.')).toHaveLength(2);
  });

  test('a decision that was named and is not told', () => {
    const result = measureFidelity(
      source('Done.', { decisions: ['Used bcrypt with cost factor 12'], artifacts: ['models/user.py'] }),
      digest('Done.', { artifacts: ['models/user.py'] }),
    );
    expect(result.missing.map(({ kind }) => kind)).toEqual(['decision', 'number']);
  });
});

describe('the score', () => {
  test.each(TEXTS.map((text) => [text.slice(0, 60), text]))(
    'of a text with itself is 1: %s',
    (_name, text) => {
      expect(measureFidelity(source(text), digest(text)).score).toBe(1);
    },
  );

  const subject = fc.constantFrom('The cache', 'The worker', 'Each client', 'This page', 'A token');
  const value = fc.nat(9999);
  const statement = fc.oneof(
    fc.tuple(subject, value).map(([who, n]) => `${who} waits ${n} ms`),
    fc.tuple(subject, value).map(([who, n]) => `${who} calls \`run_${n}()\``),
    fc.tuple(subject, value).map(([who, n]) => `${who} reads src/part${n}/main.ts`),
    fc.tuple(subject, value).map(([who, n]) => `${who} does not open gate${n}`),
    value.map((n) => `We chose plan${n} for it over plan${n + 1}x`),
  );
  const statements = fc.uniqueArray(statement, {
    minLength: 2,
    maxLength: 12,
    selector: (text) => text.replaceAll(/\D/g, ''),
  });

  test('falls when a statement is left out, and stays 1 when none is', () => {
    fc.assert(
      fc.property(statements, fc.nat(), (all, which) => {
        const text = all.map((one) => `${one}.`).join(' ');
        const left = all
          .toSpliced(which % all.length, 1)
          .map((one) => `${one}.`)
          .join(' ');
        expect(measureFidelity(source(text), digest(text)).score).toBe(1);
        expect(measureFidelity(source(text), digest(left)).score).toBeLessThan(1);
      }),
    );
  });

  test('lies between 0 and 1 for any texts, and says what is missing', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.string({ maxLength: 100 }),
        (text, other) => {
          const { score, facts, missing } = measureFidelity(source(text), digest(other));
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(missing.length).toBeLessThanOrEqual(facts);
          expect(score).toBe(facts === 0 ? 1 : (facts - missing.length) / facts);
        },
      ),
    );
  });

  test.each(['Àa/', 'İ uses useState and AB12', 'données/ and ébauche.ts'])(
    'of “%s” with itself is 1',
    (text) => {
      expect(measureFidelity(source(text), digest(text))).toMatchObject({ score: 1, missing: [] });
    },
  );

  test('of any text with itself is 1', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(measureFidelity(source(text), digest(text))).toMatchObject({ score: 1, missing: [] });
      }),
    );
  });
});

test('what a digest made up is named', () => {
  const made = inventedFacts(
    source('Wrote src/a.ts in 3 days with `parse_all`.'),
    digest('Wrote a.ts and src/b.ts in 3 days, 40 tests, `parse_some`, two parts.', {
      artifacts: ['docs/b.md'],
    }),
  );
  expect(made.map(({ key }) => key)).toEqual(['docs/b.md', 'src/b.ts', 'parse_some', '40 test']);
});
