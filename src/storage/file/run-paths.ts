import { join } from 'node:path';

import { RUN_ID_PATTERN } from '../../plan/run-ids.js';
import { noRun } from '../run-store-errors.js';

const LOG_ENDING = '.events.jsonl';

/** Where the runs of a store are. */
export const runsFolder = (store: string) => join(store, 'runs');

/** The files of one run. */
export interface RunPaths {
  readonly log: string;
  /** What is too long for the log, and what was overwritten. */
  readonly folder: string;
}

/** Where a run is. The id is checked, so that nothing else becomes part of a path. @throws PlanError E_PLAN_NOT_FOUND */
export function runPaths(store: string, run: string): RunPaths {
  if (!RUN_ID_PATTERN.test(run)) throw noRun(run);
  const base = join(runsFolder(store), run);
  return { log: `${base}${LOG_ENDING}`, folder: base };
}

/** The run whose log a file is, or null for any other file. */
export function runOfFile(name: string): string | null {
  const run = name.endsWith(LOG_ENDING) ? name.slice(0, -LOG_ENDING.length) : '';
  return RUN_ID_PATTERN.test(run) ? run : null;
}
