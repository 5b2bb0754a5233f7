import * as z from 'zod';

import { accountSchema } from '../../maintenance/account.js';
import { numberedGoal, planningReportShape } from '../../shared/report-schemas.js';

const rangeSchema = z.object({ low: z.number(), likely: z.number(), high: z.number() });

/** What planning is expected to use. */
export const estimateSchema = z
  .object({
    calls: rangeSchema,
    input_tokens: rangeSchema,
    output_tokens: rangeSchema,
    cost_usd: rangeSchema.nullable().describe('US dollars; null when the price is not known.'),
    waiting_goals: z.number().describe('Goals that wait to be asked about.'),
    assumptions: z.array(z.string()).readonly(),
  })
  .describe('What is still to be spent; all of it 0 where no model would be asked.');

/** What `init` prints. */
export const initReport = z
  .object({
    ...planningReportShape,
    dry_run: z
      .literal(true)
      .optional()
      .describe('Nothing was written: this is the plan that there would be.'),
    goals: z
      .array(numberedGoal)
      .readonly()
      .optional()
      .describe('With dry_run: every goal, depth-first; what a model would divide waits.'),
    estimate: estimateSchema.optional(),
    account: accountSchema
      .optional()
      .describe('What happened to each line of the document; missing without one.'),
  })
  .readonly();
