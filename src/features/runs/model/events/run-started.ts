import * as z from 'zod';

import { isCodeVoid, withUnknownOutcomes } from '../run.js';
import type { Run } from '../run.js';
import type { RunRefusal } from '../run-refusals.js';
import { acceptRunEvent, defineRunChange, refuseRunEvent } from './define-run-event.js';

/** A process takes the run, to begin it or to go on with it; the first to say so does. */
export const runStarted = defineRunChange({
  type: 'run_started',
  fields: {
    executor: z.looseObject({
      host: z.string(),
      pid: z.int(),
      process_start: z.string().optional(),
      version: z.string(),
    }),
    replaces: z.string().optional().describe('Id of the start that this one goes on from.'),
    approval: z
      .string()
      .nullable()
      .describe('The approval that a first start uses up; null where none is needed.'),
    workers: z
      .string()
      .optional()
      .describe(
        'Of a worker: id of the event that left the run to workers. Left out, it is taken from them.',
      ),
  },
  apply(run, event) {
    if (run.executor?.id !== event.replaces) return refuseRunEvent({ code: 'run_taken' });
    if (event.workers !== undefined && run.workers?.id !== event.workers)
      return refuseRunEvent({ code: 'not_left' });
    const refusal = run.executor === null ? whyNotBegun(run, event.approval, Date.parse(event.at)) : null;
    if (refusal !== null) return refuseRunEvent(refusal);
    const { host, pid, process_start } = event.executor;
    return acceptRunEvent({
      ...withUnknownOutcomes(run),
      executor: { id: event.id, host, pid, process_start, at: event.at },
      running: true,
      interrupted: null,
      workers: event.workers === undefined ? null : run.workers,
      pausing: false,
      waiting: [],
      approvals: run.approvals.map((one) => (one.scope === 'run' ? { ...one, used: true } : one)),
    });
  },
  describe: ({ executor, replaces }) =>
    `${replaces === undefined ? 'began' : 'went on'} (process ${executor.pid} on ${executor.host})`,
});

/** Why a run cannot be begun. The approval is used up by the same event. */
function whyNotBegun(run: Run, named: string | null, at: number): RunRefusal | null {
  const { requires_approval: required, expires_at } = run.prepared;
  if (required && isCodeVoid(run, run.prepared.code_key)) return { code: 'voided' };
  if (Date.parse(expires_at) < at) return { code: 'expired', expires_at };
  if (named === null) return required ? { code: 'not_approved' } : null;
  const found = run.approvals.find(({ approval, scope }) => approval === named && scope === 'run');
  if (found === undefined) return { code: 'not_approved' };
  if (found.used) return { code: 'approval_used' };
  return Date.parse(found.expires_at) < at ? { code: 'expired', expires_at: found.expires_at } : null;
}
