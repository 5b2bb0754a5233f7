import { preparedFields } from '../prepared-run.js';
import { newRun } from '../run.js';
import { acceptRunEvent, defineRunMaking } from './define-run-event.js';

/** A run is prepared: what would run is fixed. */
export const runPrepared = defineRunMaking({
  type: 'run_prepared',
  fields: preparedFields,
  make: (event) => acceptRunEvent(newRun(event, event)),
  describe: ({ digest }) => `prepared (${digest.slice(0, 19)}…)`,
});
