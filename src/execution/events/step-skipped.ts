import * as z from 'zod';

import { instanceOf, noLongerWaiting, withInstance } from '../run.js';
import { acceptRun, defineRunChange, refuseRun } from './define-run-event.js';
import { instance } from './run-fields.js';

/** A step is not carried out, or not any further. */
export const stepSkipped = defineRunChange({
  type: 'step_skipped',
  fields: {
    step: instance,
    because: z.enum(['on_error', 'precondition', 'dependency', 'person']),
    of: instance.optional().describe('The dependency that did not succeed.'),
  },
  apply(run, { step, because, of = null }) {
    const { state } = instanceOf(run, step);
    if (state !== 'pending' && state !== 'failed') return refuseRun({ code: 'not_open', step, state });
    return acceptRun(
      noLongerWaiting(withInstance(run, step, { state: 'skipped', skipped: { because, of } }), step),
    );
  },
  describe: ({ step, because, of }) =>
    `skipped ${step}${of === undefined ? ` (${because.replace('_', ' ')})` : `, which needs ${of}`}`,
});
