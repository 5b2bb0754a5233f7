import * as z from 'zod';

import { instanceInRun, noLongerWaiting, withInstance } from '../run.js';
import { acceptRunEvent, defineRunChange, refuseRunEvent } from './define-run-event.js';
import { failure, instance } from './run-fields.js';

/**
 * What a step came to that no single call says: a foreach, a nested plan, one whose fallback made it succeed, and one
 * that failed before anything was called.
 */
export const stepEnded = defineRunChange({
  type: 'step_ended',
  fields: {
    step: instance,
    outcome: z.enum(['succeeded', 'failed']),
    output_of: instance.optional().describe('The instance whose output is that of the step.'),
    recovered: z.boolean().optional().describe('Whether its fallback made it succeed.'),
    failed_items: z.int().positive().optional().describe('How many items of a foreach were skipped.'),
    failed: instance.optional().describe('The instance below a foreach with which it failed.'),
    error: failure.optional(),
  },
  apply(run, event) {
    const { step, outcome, output_of, recovered = false, failed_items = 0, failed = null } = event;
    const { state } = instanceInRun(run, step);
    if (state !== 'pending' && state !== 'failed') return refuseRunEvent({ code: 'not_open', step, state });
    const error =
      event.error ?? (outcome === 'failed' ? { code: 'FAILED', message: '', retryable: false } : null);
    return acceptRunEvent(
      noLongerWaiting(
        withInstance(run, step, {
          state: outcome,
          final: true,
          output_of: output_of ?? null,
          recovered,
          failed_items,
          failed_by: failed,
          error,
          verified: 0,
          ended_at: event.at,
        }),
        step,
      ),
    );
  },
  describe: ({ step, outcome, recovered, failed, error }) =>
    `${step} ${outcome}${failed === undefined ? '' : ` at ${failed}`}${recovered === true ? ', by its fallback' : ''}${error === undefined ? '' : `: ${error.message}`}`,
});
