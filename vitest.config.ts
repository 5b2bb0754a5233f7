import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Files with processes, browsers or much memory of their own; each has a process to itself. */
const ALONE = [
  'test/*.test.ts',
  'test/{architecture,docs,interfaces,workers}/**/*.test.ts',
  'test/faults/**/*.faults.ts',
];

/** Those that have a process to themselves come first, for among them are the longest. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isAlone = ({ project }: TestSpecification) => project.config.isolate;
    return [...sorted.filter(isAlone), ...sorted.filter((file) => !isAlone(file))];
  }
}

const ofEach = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  setupFiles: ['test/support/fixed-seed.ts', 'test/support/leaves-nothing.ts'],
};

export default defineConfig({
  test: {
    // One more than a small machine has cores: about a third of the time a test waits for a disk, a timer or a process.
    maxWorkers: 3,
    globalSetup: ['test/support/build.ts', 'test/support/postgres/on-demand.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...ofEach, name: 'alone', include: ALONE } },
      // A module is loaded once a worker, not once a file; `leaves-nothing.ts` sees to it that no file changes the process of the next.
      {
        test: {
          ...ofEach,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: ALONE,
          isolate: false,
        },
      },
    ],
  },
});
