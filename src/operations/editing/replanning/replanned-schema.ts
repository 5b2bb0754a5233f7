import * as z from 'zod';

import { usageSchema } from '../../../plan/schema.js';
import type { PlanningResult } from '../../planning/planning-progress.js';
import { planningReportShape } from '../../shared/report-schemas.js';
import { changeReportSchema } from '../change-goals.js';

/** What replanning came to, or would come to. */
export const replannedSchema = changeReportSchema
  .unwrap()
  .extend({
    ...planningReportShape,
    goal: z
      .string()
      .describe('The goal that has other sub-goals: the one named, or with `revise` the one above it.'),
    applied: z.boolean().describe('Whether it was done, and not only shown.'),
    usage: usageSchema.describe(
      'What asking has cost, also before, as far as it was not counted in the plan yet.',
    ),
  })
  .readonly();

/** The same with why planning the new goals stopped. */
export type Replanned = z.output<typeof replannedSchema> & Pick<PlanningResult, 'warnings' | 'stopped'>;

/** What is printed of it; what stopped it is an error beside that. */
export function replannedDocument({
  stopped: _told,
  ...document
}: Replanned): z.output<typeof replannedSchema> {
  return document;
}
