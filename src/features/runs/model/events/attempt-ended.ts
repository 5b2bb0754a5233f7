import * as z from 'zod';

import type { JsonValue } from '../../../../kernel/json/json-value.js';
import { instanceInRun, withInstance } from '../run.js';
import type { Instance, RunOutput } from '../instance.js';
import { acceptRunEvent, defineRunChange, refuseRunEvent } from './define-run-event.js';
import { attempt, failure, fileState, instance, outputFields } from './run-fields.js';
import type { RunFailure } from './run-fields.js';

/** The code of a call that was dropped because the run was to stop; it counts against no number of attempts. */
export const CANCELLED = 'CANCELLED';

/** The outcome of an attempt. It is durable before anything follows from it. */
export const attemptEnded = defineRunChange({
  type: 'attempt_ended',
  fields: {
    step: instance,
    attempt,
    outcome: z
      .enum(['succeeded', 'failed', 'timed_out', 'lost', 'not_sent'])
      .describe(
        'failed is an answer; not_sent says that nothing can have happened; after timed_out and lost nobody knows.',
      ),
    ...outputFields,
    error: failure.optional(),
    ms: z.number().nonnegative().optional().describe('How long the call took.'),
    files: z
      .array(fileState)
      .optional()
      .describe('The files that it replaced or removed, as it left them; left out where nobody knows.'),
    exit: z.int().optional().describe('The exit status of a command.'),
  },
  apply(run, event) {
    const { step } = event;
    const known = instanceInRun(run, step);
    const isOpen = known.state === 'started' || known.state === 'unknown';
    if (!isOpen || known.attempt !== event.attempt) return refuseRunEvent({ code: 'no_intent', step });
    return acceptRunEvent(withInstance(run, step, { ...ending(known, event), ended_at: event.at }));
  },
  describe: ({ step, outcome, error }) =>
    `${step} ${outcome.replace('_', ' ')}${error === undefined ? '' : `: ${error.message}`}`,
});

interface Ending {
  readonly outcome: 'succeeded' | 'failed' | 'timed_out' | 'lost' | 'not_sent';
  readonly error?: RunFailure | undefined;
}

function ending(
  { failures, effects }: Instance,
  event: Ending & Parameters<typeof outputOf>[0],
): Partial<Instance> {
  const { outcome, error = NO_REASON } = event;
  if (outcome === 'succeeded') return { state: 'succeeded', output: outputOf(event), error: null };
  const nobodyKnows = (outcome === 'timed_out' || outcome === 'lost') && effects === 'once';
  if (nobodyKnows) return { state: 'unknown', error };
  return {
    state: 'failed',
    error,
    final: !error.retryable,
    failures: failures + (error.code === CANCELLED ? 0 : 1),
  };
}

const NO_REASON: RunFailure = { code: 'TOOL_FAILED', message: 'the tool reported failure', retryable: true };

/** A longer output is not held in memory with the state of its run, in characters of JSON. */
const MOST_HELD = 64;

/** Whether the output of an attempt is left in the event that it ended, and read again when it is asked for. */
export function isLeftInEvent(output: JsonValue | undefined): boolean {
  return output !== undefined && JSON.stringify(output).length > MOST_HELD;
}

/** The output of an attempt that ended; null where it has none. */
export function outputOf(
  event: z.infer<z.ZodObject<typeof outputFields>> & { readonly id: string },
): RunOutput | null {
  const { output, output_file: file } = event;
  if (file !== undefined) return { file };
  if (output === undefined) return null;
  return isLeftInEvent(output) ? { event: event.id } : { value: output };
}
