import * as z from 'zod';

import { instanceInRun, noLongerWaiting, withInstance } from '../run.js';
import { acceptRunEvent, defineRunChange, refuseRunEvent } from './define-run-event.js';
import { instance } from './run-fields.js';

/** A step is not carried out, or not any further. */
export const stepSkipped = defineRunChange({
  type: 'step_skipped',
  fields: {
    step: instance,
    because: z.enum(['on_error', 'precondition', 'dependency', 'person']),
    of: instance.optional().describe('The dependency that did not succeed.'),
    warn: z.boolean().optional().describe('Whether that is worth a warning; false where the plan says so.'),
  },
  apply(run, { step, because, of = null, warn = true }) {
    const { state } = instanceInRun(run, step);
    if (state !== 'pending' && state !== 'failed') return refuseRunEvent({ code: 'not_open', step, state });
    return acceptRunEvent(
      noLongerWaiting(withInstance(run, step, { state: 'skipped', skipped: { because, of, warn } }), step),
    );
  },
  describe: ({ step, because, of }) =>
    `skipped ${step}${of === undefined ? ` (${because.replace('_', ' ')})` : `, which needs ${of}`}`,
});
