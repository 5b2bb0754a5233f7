import * as z from 'zod';

/** What a goal is likely to change. */
export const touchesSchema = z
  .array(z.string().min(1))
  .describe(
    'What it is likely to change: paths, globs such as `src/auth/**`, and areas such as `area:billing`.',
  );

/** How the success of a goal is checked. */
export const goalChecksSchema = z
  .array(
    z
      .looseObject({
        tool: z.string().min(1).describe('A tool of the tools file.'),
        args: z.looseObject({}).describe('Its arguments.'),
      })
      .meta({ title: 'Check of a goal' }),
  )
  .describe('Tools that must succeed before the goal counts as done by an agent.');

/** A tool that is to succeed, with its arguments. */
export type GoalCheck = z.infer<typeof goalChecksSchema>[number];
