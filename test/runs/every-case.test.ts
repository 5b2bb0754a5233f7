import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

// What an executor of each of the four systems must satisfy, by the names that tests have of it: C what is common, O Obsidian, W wa,
// S SoulBrowser, P Plan-Lint, N what none of them has built.
const CASES = JSON.parse(readFileSync('test/fixtures/execution/cases.json', 'utf8')) as readonly string[];

test('every case of the four systems is the name of a test', () => {
  const files = readdirSync('test/runs', { recursive: true, encoding: 'utf8' });
  const named = files
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(join('test/runs', file), 'utf8').matchAll(
        /\btest(?:\.\w+\([^)]*\))?\(\s*['"`]((?:[COWSPN]\d+(?:, )?)+):/g,
      ),
    ])
    .flatMap(([, ids = '']) => ids.split(', '));
  expect(CASES.length).toBeGreaterThan(100);
  expect(CASES.filter((id) => !named.includes(id))).toEqual([]);
  expect(named.filter((id) => !CASES.includes(id))).toEqual([]);
});
