import * as z from 'zod';

/** What became of every line of what was read. */
export const accountSchema = z.object({
  files: z
    .array(
      z.object({
        file: z.string(),
        lines: z.number(),
        read: z.number().describe('Lines that are goals, members of goals, or what holds these together.'),
        detail: z.number().describe('Lines that are kept as text of the goal that they stand in or under.'),
      }),
    )
    .readonly(),
  left_out: z
    .array(z.object({ file: z.string(), first_line: z.number(), last_line: z.number(), text: z.string() }))
    .readonly()
    .describe('Lines that are in no goal, by their numbers, each run of them with how it begins.'),
  changed: z
    .array(
      z.object({
        file: z.string(),
        line: z.number(),
        goal: z.string(),
        member: z.string(),
        was: z.string(),
        is: z.string(),
      }),
    )
    .readonly()
    .describe('What a goal says otherwise than its task did.'),
});

export type Account = z.output<typeof accountSchema>;
