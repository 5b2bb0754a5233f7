import * as z from 'zod';

import type { Run } from '../../model/run.js';
import { defineOperation } from '../../../../operations/operation.js';
import { choice } from '../../../../operations/shared/fields.js';
import { RUNS } from '../../parts.js';
import { countsByKind, RUN_STATUSES, runSummarySchema, runReportSummary } from '../run-report.js';
import { runNow } from '../run-state.js';

/** Every run of the store, the one prepared last first. @throws PlanError STORE_NOT_FOUND, STORAGE_FAILED */
export const listRuns = defineOperation({
  input: z.strictObject({ status: choice(RUN_STATUSES, 'only runs with this status', { value: 'status' }) }),
  output: z.object({
    runs: z.array(runSummarySchema).readonly(),
    problems: z
      .array(z.object({ run: z.string(), code: z.string(), message: z.string() }))
      .readonly()
      .describe('Runs whose logs cannot be read.'),
  }),
  examples: ['plan runs', 'plan runs --status waiting'],
  mutates: false,
  async run(context, { status }) {
    const { runs, problems } = await (await context.part(RUNS)).list();
    const summaries = await Promise.all(
      runs.map(async (read: Run) => {
        const { run, status: now } = await runNow(read, context);
        return { ...runReportSummary(run, now), parts: countsByKind(run, now) };
      }),
    );
    return { runs: summaries.filter((one) => status === undefined || one.status === status), problems };
  },
  document: ({ runs, problems }) => ({ runs: runs.map(({ parts: _parts, ...run }) => run), problems }),
});
