import * as z from 'zod';

import { acceptRunEvent, defineRunChange, refuseRunEvent } from './define-run-event.js';

/** Somebody asks the executor to begin nothing more, and takes the run from workers. It can be continued. */
export const pauseRequested = defineRunChange({
  type: 'pause_requested',
  fields: { reason: z.string().optional() },
  apply(run) {
    if (!run.running && run.workers === null) return refuseRunEvent({ code: 'not_running' });
    return acceptRunEvent({ ...run, workers: null, pausing: run.running });
  },
  describe: ({ reason }) => `asked to pause${reason === undefined ? '' : `: ${reason}`}`,
});
