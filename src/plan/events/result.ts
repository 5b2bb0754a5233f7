import * as z from 'zod';

/** What somebody says came of the work on a goal. */
export const resultSchema = z
  .looseObject({
    summary: z.string().optional(),
    decisions: z.array(z.string()).optional(),
    artifacts: z.array(z.string()).optional(),
    text: z.string().optional().describe('A longer account, such as a report or notes.'),
    commits: z.array(z.looseObject({ id: z.string(), subject: z.string() })).optional(),
  })
  .meta({ title: 'Result' });

/** What somebody says came of the work on a goal. */
export type Result = z.infer<typeof resultSchema>;
