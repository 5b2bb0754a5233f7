import * as z from 'zod';

import { acceptRun, defineRunChange, refuseRun } from './define-run-event.js';
import { hash, instance, time } from './run-fields.js';

/** The run needs a person, and its executor stops. */
export const waiting = defineRunChange({
  type: 'waiting',
  fields: {
    step: instance,
    for: z.enum(['approval', 'outcome']),
    summary: z.string(),
    args_digest: hash.optional().describe('Of the arguments that the step would be called with.'),
    code: z.string().optional().describe('The one-time code, as a keyed hash.'),
    expires_at: time.optional(),
  },
  apply(run, event) {
    if (!run.running && run.waiting.length === 0) return refuseRun({ code: 'not_running' });
    const { step, summary, at, args_digest, code, expires_at } = event;
    const asked = { step, for: event.for, summary, at, args_digest, code, expires_at };
    const others = run.waiting.filter((one) => one.step !== step);
    return acceptRun({ ...run, running: false, waiting: [...others, asked] });
  },
  describe: (event) =>
    `waits for ${event.for === 'approval' ? 'approval of' : 'what became of'} ${event.step}`,
});
