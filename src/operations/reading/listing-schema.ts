import * as z from 'zod';

import { summarySchema } from '../../plan/schema.js';

/** What `plan list --json` prints. */
export const listingSchema = z.object({
  plans: z.array(summarySchema),
  problems: z
    .array(z.object({ file: z.string(), code: z.string(), path: z.string(), message: z.string() }))
    .optional()
    .describe('Files that cannot be read.'),
});
