import * as z from 'zod';

import { defineOperation } from '../operation.js';
import { field, goalArgument, planOption } from '../shared/fields.js';
import { findGoalByName } from '../shared/find-plan.js';
import { withNumber } from '../shared/numbered-goals.js';
import { numberedGoal } from '../shared/report-schemas.js';
import { timeNow } from '../shared/environment.js';

const DEFAULT_TOKENS = 4000;
const FEWEST_TOKENS = 100;
const MOST_TOKENS = 1_000_000;

const partSchema = z
  .object({
    name: z.string(),
    text: z.string(),
    tokens: z.number(),
    cut: z.boolean().describe('Whether something of it is missing.'),
  })
  .readonly();

const contextSchema = z
  .object({
    goal: numberedGoal,
    tokens: z.number().describe('Of the Markdown, in the o200k_base encoding.'),
    max_tokens: z.number(),
    parts: z
      .array(partSchema)
      .readonly()
      .describe(
        'Most important first: `goal`, `why`, `decisions`, `done`, `branches`, `limits`, `children`, `detail`, `project`, `siblings`, `dependents`, `farther`, `background`.',
      ),
    left_out: z
      .array(
        z
          .object({
            name: z.string(),
            missing: z.number(),
            of: z.number(),
            numbers: z
              .array(z.string())
              .readonly()
              .optional()
              .describe('The goals that are missing, of `done`.'),
          })
          .readonly(),
      )
      .readonly()
      .describe(
        'What is missing: items or files of a part; `missing` is 0 where what is there was shortened.',
      ),
  })
  .readonly();

/** What somebody must know to do a goal, and nothing else; `markdown` is all of it, as one text. */
export type GoalContext = z.output<typeof contextSchema> & { readonly markdown: string };

/**
 * Everything that an agent needs to do a goal, within a number of tokens that is never exceeded.
 * @throws PlanError GOAL_NOT_FOUND, PLAN_NOT_FOUND, INVALID_INPUT for a limit that is none
 */
export const goalContext = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({
    goal: goalArgument(),
    maxTokens: field(
      z.int().min(FEWEST_TOKENS).max(MOST_TOKENS).optional(),
      `most tokens of the text (default: ${DEFAULT_TOKENS})`,
      { value: 'n' },
    ),
    plan: planOption(),
  }),
  output: contextSchema,
  examples: ['plan context 1.2', 'plan context 1.2 --max-tokens 1500 --json'],
  mutates: false,
  async run(context, { goal: name, maxTokens = DEFAULT_TOKENS, plan }): Promise<GoalContext> {
    const { log, goal } = await findGoalByName(context, name, plan);
    const { workContext } = await import('../../work/context/work-context.js');
    const { markdown, tokens, parts, left_out } = await workContext(log.plan, goal, maxTokens);
    return {
      goal: withNumber(log.plan, goal, timeNow(context.environment)),
      markdown,
      tokens,
      max_tokens: maxTokens,
      parts: parts.map(({ name: part, text, tokens: size, cut }) => ({
        name: part,
        text,
        tokens: size,
        cut,
      })),
      left_out,
    };
  },
  document: ({ markdown: _text, ...report }) => report,
});
