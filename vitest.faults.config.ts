import { readFileSync } from 'node:fs';

import { globSync } from 'tinyglobby';
import { defineConfig } from 'vitest/config';

/** Tests that do less within `npm test`: laws draw fewer values, attacks are fewer. */
const IN_SMALL = globSync('test/**/*.test.ts').filter((file) =>
  /from 'fast-check'|support\/scale\.js'/.test(readFileSync(file, 'utf8')),
);

// `npm run test:faults`: the attacks on the store at their full size. `npm test` runs them all in small.
export default defineConfig({
  test: {
    include: ['test/faults/**/*.faults.ts', ...IN_SMALL],
    env: { FRCTL_FAULTS: 'full' },
    testTimeout: 60 * 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    globalSetup: [
      'test/support/build.ts',
      'test/support/postgres/on-demand.ts',
      'test/support/chromium-on-demand.ts',
    ],
  },
});
