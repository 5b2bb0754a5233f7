import { defineConfig } from 'vitest/config';

// `npm run test:faults`: the attacks on the store at their full size. `npm test` runs them all in small.
export default defineConfig({
  test: {
    include: ['test/faults/**/*.faults.ts'],
    env: { FRCTL_FAULTS: 'full' },
    testTimeout: 60 * 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    globalSetup: ['test/support/build.ts', 'test/support/postgres/on-demand.ts'],
  },
});
