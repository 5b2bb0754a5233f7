import * as z from 'zod';

import { rootOf } from '../../plan/plan.js';
import { summarySchema } from '../../plan/schema.js';
import { defineOperation } from '../operation.js';
import { field, planOption } from '../shared/fields.js';
import { readPlan } from '../shared/find-plan.js';
import { readGivenFile } from '../shared/named-file.js';
import { LARGEST_DOCUMENT, shownPath, STANDARD_INPUT } from '../planning/init/plan-source.js';
import { summaryNow } from '../shared/summary-now.js';

/** How the plan's own document was read, as its root keeps it. */
const sectionsSchema = z
  .object({
    all: z.boolean().optional(),
    only: z.array(z.string()).optional(),
    skip: z.array(z.string()).optional(),
  })
  .catch({});

const coveredLineSchema = z
  .object({
    kind: z.enum(['heading', 'item', 'row', 'paragraph']),
    text: z.string(),
    line: z.number(),
    end_line: z.number(),
    covered: z.boolean(),
    score: z.number().describe('Share of the line’s words, rare ones weighing more, that the goal has.'),
    goal: z.string().nullable(),
    number: z.string().nullable(),
    description: z.string().nullable(),
  })
  .readonly();

const unaskedGoalSchema = z
  .object({
    goal: z.string(),
    number: z.string(),
    description: z.string(),
    below: z.number().describe('Goals below it, for which the same holds.'),
    score: z.number().describe('Share of the goal’s words that the line has.'),
    line: z.number().nullable(),
    text: z.string().nullable(),
  })
  .readonly();

const coverageSchema = z
  .object({
    plan: summarySchema,
    file: z.string(),
    lines: z.number().describe('Lines that need a goal.'),
    covered: z.number().describe('How many of them have one.'),
    uncovered: z.array(coveredLineSchema).readonly(),
    unasked: z
      .array(unaskedGoalSchema)
      .readonly()
      .describe('Goals that no line asked for; those below them are only counted.'),
    verdicts: z.array(coveredLineSchema).readonly().describe('Every line with its verdict, in order.'),
  })
  .readonly();

/**
 * Which lines of a document no goal of the plan covers, and which goals no line asked for.
 * @throws PlanError FILE_NOT_FOUND, PLAN_NOT_FOUND, INVALID_INPUT
 */
export const coverPlan = defineOperation({
  input: z.strictObject({
    source: field(z.string(), 'the Markdown document; - reads standard input', { value: 'file' }),
    text: field(z.string().optional(), 'what the document holds', { textOf: 'source' }),
    plan: planOption(),
  }),
  output: coverageSchema,
  examples: ['plan coverage --source PRD.md', 'plan coverage --source PRD.md --plan 0398 --json'],
  mutates: false,
  async run(context, { source, text: given, plan: name }) {
    const { workingFolder } = context.environment;
    const plan = await readPlan(context, name);
    const file = given === undefined ? shownPath(source, workingFolder) : STANDARD_INPUT;
    const text = given ?? (await readGivenFile(context.environment, source, LARGEST_DOCUMENT));
    const { documentLines } = await import('../../planning/documents/document-lines.js');
    const { coverDocument } = await import('../../planning/document-coverage.js');
    const { readDocument } = await import('../../planning/documents/read-document.js');
    const { leftOut } = readDocument(text, file, sectionsSchema.parse(rootOf(plan).sections));
    const { lines, unasked } = coverDocument(plan, documentLines(text, file), file, leftOut);
    const uncovered = lines.filter(({ covered }) => !covered);
    return {
      plan: summaryNow(context, plan),
      file,
      lines: lines.length,
      covered: lines.length - uncovered.length,
      uncovered,
      unasked,
      verdicts: lines,
    };
  },
  exitStatus: ({ uncovered }) => (uncovered.length > 0 ? 1 : 0),
});
