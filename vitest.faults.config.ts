import { defineConfig } from 'vitest/config';

/** Tests of laws that draw fewer values within `npm test`. */
const WITH_ALL_DRAWS = [
  'test/action-plans/convert/{any-plan,every-loss}.test.ts',
  'test/action-plans/lint/sql-writes.test.ts',
  'test/execution/crash.test.ts',
  'test/cli/{claims,config-changes,planning,stopping}.test.ts',
  'test/interfaces/{mcp,mcp-inspector}.test.ts',
  'test/exports/{every-format,read-back}.test.ts',
  'test/kernel/columns.test.ts',
  'test/operations/sync-checklist.test.ts',
  'test/rules/nothing-lost.test.ts',
];

// `npm run test:faults`: the attacks on the store at their full size. `npm test` runs them all in small.
export default defineConfig({
  test: {
    include: ['test/faults/**/*.faults.ts', ...WITH_ALL_DRAWS],
    env: { FRCTL_FAULTS: 'full' },
    testTimeout: 60 * 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    globalSetup: ['test/support/build.ts', 'test/support/postgres/on-demand.ts'],
  },
});
