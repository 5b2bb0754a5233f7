import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Files with processes, browsers or databases; the longest are among them. */
const LONG = /\/test\/(?:[^/]+\.ts|(?:architecture|docs|page|mcp|teams|faults)\/.*)$/;

/** Those that may take long come first, so that no worker is left alone with one in the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/faults/**/*.faults.ts'],
    // An end for what hangs, and no measure: ten times what the longest tests need on a quiet machine. What grows too fast is found by growth.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A module is loaded once a worker, not once a file; `leaves-nothing.ts` sees to it that no file changes the process of the next.
    isolate: false,
    // What a test throws away is collected seldom: a tenth less of the processor's time.
    execArgv: ['--max-semi-space-size=64'],
    setupFiles: ['test/support/fixed-seed.ts', 'test/support/leaves-nothing.ts'],
    // Twice as many as a small machine has cores: half of the time a test waits for a disk, a timer or a process.
    maxWorkers: 4,
    globalSetup: [
      'test/support/temporary.ts',
      'test/support/build.ts',
      'test/support/postgres/on-demand.ts',
      'test/support/chromium-on-demand.ts',
    ],
    sequence: { sequencer: LongestFirst },
  },
});
