import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { globSync } from 'tinyglobby';
import { defineConfig } from 'vitest/config';

/** What has features in it: they themselves, and whatever is made with all of them. */
const WHOLE = /^(?:src\/(?:features\/|bin\/|(?:features|index|workspace)\.ts$)|test\/support\/command\.ts$)/;

/** Whether a test, or what it imports of the tests, imports features or the built command, or reads a file of a feature. */
function needsWhole(name: string): boolean {
  const reached = new Set([name]);
  // The set grows while it is walked.
  for (const file of reached) {
    if (WHOLE.test(file)) return true;
    if (!file.startsWith('test/') || !existsSync(file)) continue;
    const text = readFileSync(file, 'utf8');
    if (text.includes('src/features/')) return true;
    for (const [, path = ''] of text.matchAll(/(?:from |import\(|import )'(\.[^']+)'/g))
      reached.add(join(dirname(file), path.replace(/\.js$/, '.ts')));
  }
  return false;
}

// `npm run test:core`: the tests of the core alone, which need no feature, browser, database or built command.
export default defineConfig({
  test: {
    include: globSync(
      'test/{exports,host,kernel,llm,operations,plan,planning,storage,work}/**/*.test.ts',
    ).filter((name) => !needsWhole(name)),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    isolate: false,
    setupFiles: ['test/support/fixed-seed.ts', 'test/support/leaves-nothing.ts'],
    globalSetup: ['test/support/temporary.ts'],
  },
});
