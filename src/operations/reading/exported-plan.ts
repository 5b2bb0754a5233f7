import * as z from 'zod';

import { EXPORT_FORMAT_NAMES } from '../../exports/registry.js';

/** A plan in another format. */
export const exportedPlanSchema = z
  .object({
    plan: z.string(),
    format: z.enum(EXPORT_FORMAT_NAMES),
    file: z.string().nullable().describe('The file that was written, or null.'),
    content: z.string().nullable().describe('The text, or null when it went to a file.'),
  })
  .readonly();

export type ExportedPlan = z.output<typeof exportedPlanSchema>;
