import * as z from 'zod';

import { acceptRun, defineRunChange, refuseRun } from './define-run-event.js';

/** Somebody asks the executor to begin nothing more, and takes the run from workers. It can be continued. */
export const pauseRequested = defineRunChange({
  type: 'pause_requested',
  fields: { reason: z.string().optional() },
  apply(run) {
    if (!run.running && run.workers === null) return refuseRun({ code: 'not_running' });
    return acceptRun({ ...run, workers: null, pausing: run.running });
  },
  describe: ({ reason }) => `asked to pause${reason === undefined ? '' : `: ${reason}`}`,
});
