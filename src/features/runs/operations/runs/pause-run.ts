import * as z from 'zod';

import { wordRunRefusal } from '../../model/run-refusals.js';
import type { RunRefusal } from '../../model/run-refusals.js';
import { PlanError } from '../../../../kernel/errors.js';
import { defineOperation } from '../../../../operations/operation.js';
import { field, text } from '../../../../operations/shared/fields.js';
import { runSummarySchema, runReportSummary } from '../run-report.js';
import { openRunState, statusNow } from '../run-state.js';

/**
 * Asks whoever carries a run out to begin nothing more, as by Ctrl-C, and takes it from workers. It can be continued.
 * @throws PlanError E_PLAN_NOT_FOUND, WRONG_STATE for one that nobody carries out, STORAGE_FAILED
 */
export const pauseRun = defineOperation({
  arguments: ['run'],
  input: z.strictObject({ run: field(z.string(), 'the run', { value: 'run' }), reason: text('why') }),
  output: runSummarySchema,
  examples: ['plan runs pause run-k3f9x2w8'],
  mutates: true,
  async run(context, { run: name, reason }) {
    const log = await openRunState(context, name);
    // What was refused as it stands is not written.
    if (!log.run.running && log.run.workers === null) throw notPaused(name, { code: 'not_running' });
    const [outcome] = await log.append([
      { type: 'pause_requested', ...(reason === undefined ? {} : { reason }) },
    ]);
    if (outcome?.refused != null) throw notPaused(name, outcome.refused);
    return runReportSummary(log.run, await statusNow(log.run, context));
  },
});

function notPaused(run: string, refusal: RunRefusal): PlanError {
  return new PlanError('WRONG_STATE', wordRunRefusal(refusal), {
    hint: { commandLine: `\`plan runs show ${run}\` shows what can be done.` },
    details: { run },
  });
}
