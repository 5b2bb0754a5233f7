import * as z from 'zod';

/** What `plan check` finds, in short. */
export const findingsToldSchema = z
  .object({
    total: z.int(),
    codes: z.record(z.string(), z.int()).readonly().describe('How many there are of each code.'),
    first: z
      .array(
        z.object({ code: z.string(), goal: z.string(), number: z.string(), message: z.string() }).readonly(),
      )
      .readonly()
      .describe('The first of each code, three at most; `plan check` has all, with what may be done.'),
  })
  .readonly();

export type FindingsTold = z.output<typeof findingsToldSchema>;
