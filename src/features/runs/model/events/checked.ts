import * as z from 'zod';

import { instanceInRun, withInstance } from '../run.js';
import type { Run, RunCheck } from '../run.js';
import { acceptRunEvent, defineRunChange } from './define-run-event.js';
import { instance } from './run-fields.js';

/** One condition was looked at. */
export const checked = defineRunChange({
  type: 'checked',
  fields: {
    step: instance.optional().describe('None for a precondition of the plan.'),
    kind: z.enum(['precondition', 'verification']),
    index: z.int().nonnegative().describe('Which of them, from 0.'),
    ok: z.boolean(),
    detail: z.string(),
    code: z
      .string()
      .min(1)
      .optional()
      .describe('Of the failure, where it is not that the condition does not hold, such as OUTPUT_CUT.'),
  },
  afterEnd: true,
  apply(run, event) {
    const { step = null, kind, index, ok, detail, at, code = 'VERIFICATION_FAILED' } = event;
    const next = withCheck(run, { step, kind, index, ok, detail, at });
    if (kind !== 'verification' || step === null || run.ended !== null) return acceptRunEvent(next);
    const known = instanceInRun(run, step);
    if (known.state !== 'succeeded') return acceptRunEvent(next);
    if (ok)
      return acceptRunEvent(withInstance(next, step, { verified: Math.max(known.verified, index + 1) }));
    // What took effect once is not done again because a look at it failed.
    const retryable = known.effects !== 'once';
    return acceptRunEvent(
      withInstance(next, step, {
        state: 'failed',
        failures: known.failures + 1,
        final: !retryable,
        ended_at: at,
        error: { code, message: detail, retryable },
      }),
    );
  },
  describe: ({ step, kind, index, ok, detail }) =>
    `${kind} ${index + 1}${step === undefined ? '' : ` of ${step}`} ${ok ? 'holds' : 'does not hold'}${detail === '' ? '' : `: ${detail}`}`,
});

/** A run whose last look at a condition is another. What holds is kept only to say that it did not before. */
function withCheck(run: Run, check: RunCheck): Run {
  const key = `${check.kind} ${check.index} ${check.step ?? ''}`;
  if (check.ok && run.checks.get(key) === undefined) return run;
  return { ...run, checks: run.checks.with(key, check.ok ? null : check) };
}
