import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/faults/**/*.faults.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests spawn the built command; two workers suit small machines.
    maxWorkers: 2,
    setupFiles: ['test/support/fixed-seed.ts'],
    globalSetup: ['test/support/build.ts', 'test/support/postgres/on-demand.ts'],
  },
});
