import * as z from 'zod';

import { planOfCall, planField, statusOfPlan } from '../fields.js';
import { toolQuestions, toolQuestionSchema } from '../questions.js';
import { defineTool } from '../tool.js';

const answer = z.object({
  goal: z.string(),
  atomic: z.boolean().optional(),
  reasoning: z.string().optional(),
  needs: z.array(z.unknown()).optional().describe('As asked'),
  decisions: z
    .array(
      z.object({
        what: z.string(),
        choice: z.string().nullable().optional(),
        decided_by: z
          .number()
          .int()
          .min(1)
          .max(99)
          .optional()
          .describe('Sub_goal that chooses, if choice is null'),
      }),
    )
    .optional(),
  sub_goals: z
    .array(
      z.object({
        description: z.string(),
        atomic: z.boolean(),
        acceptance: z.array(z.string()).optional().describe('Checks'),
        size: z.enum(['S', 'M', 'L']).optional(),
        depends_on: z
          .array(z.number().int().min(1).max(99))
          .optional()
          .describe('Numbers (from 1) of earlier sub_goals'),
      }),
    )
    .optional(),
});

/** What is published says what an answer is; what is wrong with one is told for each, so that the others are stored. */
const input = z.object({
  plan: planField(),
  answers: z.array(answer).default([]),
  next: z.number().int().min(0).max(9).default(3).describe('Questions wanted'),
});

/** Stores answers and gives the next questions. */
export const planAnswer = defineTool({
  name: 'plan_answer',
  description:
    'Answer questions of a plan, several at once; get the next. Without answers: just get questions, also those of another session. Stored at once; the first answer to a goal counts.',
  input,
  lenient: input.extend({ answers: z.array(z.unknown()).default([]) }),
  output: z.object({
    plan: z.string(),
    status: z.string(),
    progress: z.string(),
    left: z.number(),
    refused: z.array(z.object({ goal: z.string().nullable(), reason: z.string() })).optional(),
    warnings: z.array(z.string()).optional(),
    questions: z.array(toolQuestionSchema),
  }),
  annotations: { destructiveHint: false, idempotentHint: true },
  async run({ library }, { plan: named, answers, next }) {
    const plan = await planOfCall(library, named);
    const report =
      answers.length === 0
        ? { stored: [], refused: [], warnings: [], ...(await library.ask({ plan, count: next })) }
        : await library.answer({ plan, answers, count: next });
    const { plan: summary } = await library.status({ plan });
    const { refused, left } = report;
    const warnings = [
      ...('digests' in report ? (report.digests ?? []) : []).flatMap(({ goal, made_by, reason }) =>
        reason === null
          ? []
          : [{ message: `the digest of ${goal} was not stored as sent (${made_by}): ${reason}` }],
      ),
      ...report.warnings,
    ];
    return {
      document: {
        plan: summary.id,
        status: statusOfPlan(summary),
        progress: summary.progress,
        left,
        ...(refused.length === 0
          ? {}
          : { refused: refused.map(({ goal, message }) => ({ goal, reason: message })) }),
        ...(warnings.length === 0 ? {} : { warnings: warnings.slice(0, 20).map(({ message }) => message) }),
        questions: toolQuestions(report),
      },
    };
  },
});
