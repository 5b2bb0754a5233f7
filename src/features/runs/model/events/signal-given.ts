import * as z from 'zod';

import { acceptRunEvent, defineRunChange } from './define-run-event.js';

/** Somebody gives a signal that steps of the run wait for, or will. It stays given. */
export const signalGiven = defineRunChange({
  type: 'signal_given',
  fields: { key: z.string().min(1).max(200), reason: z.string().optional() },
  apply: (run, { key }) => acceptRunEvent({ ...run, signals: new Set(run.signals).add(key) }),
  describe: ({ key, reason }) => `was given the signal ${key}${reason === undefined ? '' : `: ${reason}`}`,
});
