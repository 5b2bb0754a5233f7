import { expect, test } from 'vitest';

import { digestOfDigests, digestOfResult } from '../../../src/work/digests/digest-of.js';
import { countTokens } from '../../../src/llm/spend/tokens.js';

test('nothing submitted, or nothing but blanks, has no digest', async () => {
  expect(await digestOfResult(undefined, countTokens)).toBeNull();
  expect(await digestOfResult({ summary: ' ', decisions: [''], commits: [] }, countTokens)).toBeNull();
});

test('a result’s summary, decisions, artifacts and commits are in its digest', async () => {
  const made = await digestOfResult(
    {
      summary: 'User model created with bcrypt hashing.',
      decisions: ['Used bcrypt with cost factor 12', ' Used bcrypt with cost factor 12 '],
      artifacts: ['models/user.py'],
      commits: [{ id: '3f9ac21b', subject: 'Index the email column' }],
    },
    countTokens,
  );
  expect(made?.digest).toMatchObject({
    summary: 'User model created with bcrypt hashing. Index the email column.',
    key_decisions: ['Used bcrypt with cost factor 12'],
    artifacts: ['models/user.py'],
    fidelity_score: 1,
  });
});

test('the digests of children become one, each decision and artifact once', async () => {
  const child = (summary: string, key_decisions: string[], artifacts: string[]) => ({
    summary,
    key_decisions,
    artifacts,
  });
  const { digest } = await digestOfDigests(
    [
      child('Model done.', ['Chose bcrypt'], ['models/user.py']),
      child('Endpoints return JWTs.', ['Chose bcrypt', 'Chose RS256 over HS256'], ['auth/jwt.py']),
      child('', [], ['models/user.py']),
    ],
    countTokens,
  );
  expect(digest).toMatchObject({
    summary: 'Model done. Endpoints return JWTs.',
    key_decisions: ['Chose bcrypt', 'Chose RS256 over HS256'],
    artifacts: ['models/user.py', 'auth/jwt.py'],
  });
});

test('of many children the summary stays below 100 words', async () => {
  const digests = Array.from({ length: 60 }, (_, index) => ({
    summary: `Part ${index} of the importer reads table t_${index} in ${index + 5} ms and does not lock it.`,
    key_decisions: [],
    artifacts: [`src/part${index}.ts`],
  }));
  const { digest } = await digestOfDigests(digests, countTokens);
  expect(digest.summary.split(' ').length).toBeLessThan(100);
  expect(digest.artifacts.length).toBeLessThan(60);
  expect(digest.compression_ratio).toBeLessThanOrEqual(0.2);
  expect(digest.fidelity_score).toBeLessThan(0.95);
});
