import * as z from 'zod';

import { acceptRunEvent, defineRunChange, refuseRunEvent } from './define-run-event.js';

/** Somebody leaves the run to workers: one of them carries it out, or goes on with it. What was asked is asked anew. */
export const leftToWorkers = defineRunChange({
  type: 'left_to_workers',
  fields: {
    on_unknown: z
      .enum(['verify', 'ask', 'fail'])
      .optional()
      .describe('What is done about an outcome that nobody knows; `verify` where it is left out.'),
    snapshot: z
      .boolean()
      .optional()
      .describe('Whether what was prepared is run, also when the file has changed since.'),
  },
  apply(run, { id, on_unknown, snapshot }) {
    if (run.running && run.workers === null) return refuseRunEvent({ code: 'run_taken' });
    return acceptRunEvent({ ...run, waiting: [], pausing: false, workers: { id, on_unknown, snapshot } });
  },
  describe: () => 'was left to workers',
});
