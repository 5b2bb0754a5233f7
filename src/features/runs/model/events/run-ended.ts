import * as z from 'zod';

import { withUnknownOutcomes } from '../run.js';
import { acceptRunEvent, defineRunChange, refuseRunEvent } from './define-run-event.js';
import { instance } from './run-fields.js';

/** The run is over. */
export const runEnded = defineRunChange({
  type: 'run_ended',
  fields: {
    outcome: z.enum(['succeeded', 'failed', 'aborted']),
    failed: instance.optional().describe('The step that failed it.'),
    reason: z.string().optional(),
  },
  apply(run, { outcome, failed = null, reason = null, at }) {
    if (outcome !== 'aborted' && !run.running) return refuseRunEvent({ code: 'not_running' });
    return acceptRunEvent({
      ...withUnknownOutcomes(run),
      running: false,
      interrupted: null,
      workers: null,
      pausing: false,
      waiting: [],
      ended: { outcome, failed, reason, at },
    });
  },
  describe: ({ outcome, failed, reason }) =>
    `${outcome}${failed === undefined ? '' : ` at ${failed}`}${reason === undefined ? '' : `: ${reason}`}`,
});
