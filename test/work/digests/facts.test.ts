import { describe, expect, test } from 'vitest';

import { factsOf } from '../../../src/work/digests/facts.js';
import type { FactKind } from '../../../src/work/digests/facts.js';

function keys(text: string, kind: FactKind): readonly string[] {
  return factsOf({ text, decisions: [], artifacts: [] })
    .filter((fact) => fact.kind === kind)
    .map(({ key }) => key);
}

describe('numbers', () => {
  test.each([
    ['It took 1,200 ms.', ['1200ms']],
    ['It took 1.2 s.', ['1200ms']],
    ['It waits 30 minutes.', ['1800000ms']],
    ['A 30-minute window.', ['1800000ms']],
    ['It is 16 KB large.', ['16000byte']],
    ['It fell by 12.5 %.', ['12.5%']],
    ['It costs $0.80.', ['0.8$']],
    ['It was −4 degrees.', ['-4 degre']],
    ['There are 3 retries.', ['3 retri']],
    ['There are three retries.', ['3 retri']],
    ['About 3.4 million rows went.', ['3400000 row']],
    ['Released on 2025-11-30.', ['20251130date']],
    ['Errors of the 5xx kind come 1st.', []],
  ])('%s', (text, expected) => {
    expect(keys(text, 'number')).toEqual(expected);
  });

  test('in list marks, paths, versions and code are none', () => {
    expect(keys('1. See `retry(5)` in src/v2/a7.ts, version 3.2.1', 'number')).toEqual([]);
  });
});

describe('names', () => {
  test.each<[string, FactKind, readonly string[]]>([
    ['See src/auth/token.ts and ./README.md.', 'artifact', ['src/auth/token.ts', 'readme.md']],
    ['See https://example.com/a?b=1, then go on.', 'artifact', ['https://example.com/a?b=1']],
    ['The file `models/user.py` is new.', 'artifact', ['models/user.py']],
    ['Reads and/or writes; client/server and Node.js.', 'artifact', []],
    ['`npm ci` calls fetchUser() and max_depth.', 'identifier', ['npm ci', 'fetchuser', 'max_depth']],
    ['Uses RS256 and camelCase in PROJ-12, see #34.', 'identifier', ['rs256', 'camelcase', 'proj-12', '#34']],
    ['Since v2.3.1 pass --force.', 'identifier', ['2.3.1', '--force']],
    ['We asked Grace Hopper about Redis.', 'name', ['grace hopper', 'redis']],
    ['Added Redis. The cache is fast.', 'name', ['redis']],
    ['We read Google’s paper. It weighs 95 MB.', 'name', ['google']],
  ])('%s holds the %ss %j', (text, kind, expected) => {
    expect(keys(text, kind)).toEqual(expected);
  });
});

describe('negations', () => {
  test.each([
    ['The client does not retry uploads.', ['not retri upload']],
    ['It never blocks.', ['not block']],
    ['Uploads are no longer cached.', ['not cach upload']],
    ['It works without a server.', ['not server']],
    ['Removed the legacy endpoint.', ['not endpoint legaci']],
    ['The legacy endpoint was removed.', ['not endpoint legaci']],
    ['We chose RS256 over HS256.', ['not hs256']],
    ['It uses a list instead of a map.', ['not map']],
    ['The endpoint was not removed.', ['not not endpoint']],
    ['Latency dropped from 30 to 20 ms, see no. 5.', []],
    ['It is fast and small.', []],
  ])('%s', (text, expected) => {
    expect(keys(text, 'negation')).toEqual(expected);
  });
});

describe('decisions', () => {
  test('are those that were named, and sentences that tell of a choice', () => {
    const facts = factsOf({
      text: '# Decided\n\nThe queue is fast. We chose Postgres for it.',
      decisions: ['Tokens last 30 minutes'],
      artifacts: [],
    });
    expect(facts.filter(({ kind }) => kind === 'decision').map(({ text }) => text)).toEqual([
      'We chose Postgres for it.',
      'Tokens last 30 minutes',
    ]);
  });
});

test('what stands in a fenced block states nothing', () => {
  expect(factsOf({ text: '```\nrm -rf build/ 42\n```', decisions: [], artifacts: [] })).toEqual([]);
});

test('a fact that stands in several places is one', () => {
  const facts = factsOf({ text: 'Uses Redis. We like Redis; `Redis`.', decisions: [], artifacts: [] });
  expect(facts.filter(({ key }) => key === 'redis').map(({ kind }) => kind)).toEqual(['name', 'identifier']);
});
