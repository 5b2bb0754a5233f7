import * as z from 'zod';

import { withUnknownOutcomes } from '../run.js';
import { acceptRunEvent, defineRunChange, refuseRunEvent } from './define-run-event.js';

/** The executor stops, or is found to be gone. The run can be continued. */
export const runInterrupted = defineRunChange({
  type: 'run_interrupted',
  fields: {
    because: z.enum(['signal', 'executor_lost']),
    executor: z.string().describe('Id of the start that it is about.'),
  },
  apply(run, { because, executor }) {
    if (!run.running) return refuseRunEvent({ code: 'not_running' });
    if (run.executor?.id !== executor) return refuseRunEvent({ code: 'run_taken' });
    return acceptRunEvent({ ...withUnknownOutcomes(run), running: false, interrupted: because });
  },
  describe: ({ because }) =>
    because === 'signal' ? 'was interrupted' : 'was interrupted: the process that ran it is gone',
});
