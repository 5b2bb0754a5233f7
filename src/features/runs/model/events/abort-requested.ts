import * as z from 'zod';

import { acceptRunEvent, defineRunChange } from './define-run-event.js';

/** Somebody asks the executor to drop its calls and to end the run. */
export const abortRequested = defineRunChange({
  type: 'abort_requested',
  fields: { reason: z.string().optional() },
  apply: (run, { reason }) => acceptRunEvent({ ...run, abort_requested: reason ?? '' }),
  describe: ({ reason }) => `asked to abort${reason === undefined ? '' : `: ${reason}`}`,
});
