import { preparedFields } from '../prepared-run.js';
import { newRun } from '../run.js';
import { acceptRun, defineRunMaking } from './define-run-event.js';

/** A run is prepared: what would run is fixed. */
export const runPrepared = defineRunMaking({
  type: 'run_prepared',
  fields: preparedFields,
  make: (event) => acceptRun(newRun(event, event)),
  describe: ({ digest }) => `prepared (${digest.slice(0, 19)}…)`,
});
