import * as z from 'zod';

/** Answers the planner's one question: is this goal atomic, why, and if not, which sub-goals does it have? */
export const expansionSchema = z
  .object({
    atomic: z
      .boolean()
      .describe('true when one person or agent can do the goal in one sitting without planning further.'),
    reasoning: z.string().describe('Why, in one or two sentences.'),
    sub_goals: z
      .array(
        z.object({
          description: z
            .string()
            .describe('What to accomplish, specific enough to be done without its siblings’ text.'),
          atomic: z.boolean().describe('Whether this sub-goal is atomic itself.'),
          reasoning: z.string().describe('Why it is atomic or not.'),
          depends_on: z
            .array(z.int())
            .describe(
              'Numbers of the earlier sub-goals, counted from 1, that must be complete before this one.',
            ),
        }),
      )
      .describe('In order of work; empty when the goal is atomic.'),
  })
  .meta({ title: 'Expansion' });

export type Expansion = z.infer<typeof expansionSchema>;
export type SubGoal = Expansion['sub_goals'][number];
