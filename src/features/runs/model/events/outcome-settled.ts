import * as z from 'zod';

import { instanceInRun, noLongerWaiting, withInstance } from '../run.js';
import type { Instance } from '../instance.js';
import { CANCELLED, outputOf } from './attempt-ended.js';
import { acceptRunEvent, defineRunChange, refuseRunEvent } from './define-run-event.js';
import { attempt, instance, outputFields } from './run-fields.js';

/** What an unknown outcome counts as from here on. */
export const outcomeSettled = defineRunChange({
  type: 'outcome_settled',
  fields: {
    step: instance,
    attempt,
    as: z.enum(['succeeded', 'failed']),
    how: z.enum(['verification', 'person', 'idempotent']),
    final: z.boolean().optional().describe('Whether it is not to be tried again.'),
    reason: z.string().optional(),
    ...outputFields,
  },
  apply(run, event) {
    const { step, as, how } = event;
    const known = instanceInRun(run, step);
    if (known.state !== 'unknown') return refuseRunEvent({ code: 'not_unknown', step, state: known.state });
    if (known.attempt !== event.attempt)
      return refuseRunEvent({ code: 'wrong_attempt', step, expected: known.attempt });
    const common = { ended_at: event.at, settled: how };
    const next =
      as === 'succeeded'
        ? withInstance(run, step, {
            ...common,
            state: 'succeeded',
            output: outputOf(event),
            error: null,
            // Whoever settled it has looked.
            verified: Number.MAX_SAFE_INTEGER,
          })
        : withInstance(run, step, {
            ...common,
            state: 'failed',
            // That an executor died, or was told to stop, is no failure of the step.
            failures: known.failures + (how === 'idempotent' || wasCutShort(known) ? 0 : 1),
            final: event.final === true,
            error: { code: 'NOT_DONE', message: event.reason ?? 'it was not done', retryable: true },
          });
    return acceptRunEvent(noLongerWaiting(next, step));
  },
  describe: ({ step, as, how, reason }) =>
    `settled ${step} as ${as === 'succeeded' ? 'done' : 'not done'} (${how}${reason === undefined ? '' : `: ${reason}`})`,
});

/** Whether the outcome is unknown because of the executor, and not of the tool. */
function wasCutShort({ error }: Instance): boolean {
  return error === null || error.code === CANCELLED;
}
