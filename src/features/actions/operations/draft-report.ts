import * as z from 'zod';

import type { JsonObject } from '../../../kernel/json/json-value.js';
import { EXPANDERS } from '../../../plan/choices.js';
import { summarySchema, usageSchema, warningSchema } from '../../../plan/schema.js';

const findingSchema = z.object({
  rule: z.string().describe('A rule of `plan lint`, or `UNKNOWN_TOOL` or `INVALID_ARGUMENT`.'),
  severity: z.enum(['error', 'warning', 'note']),
  message: z.string(),
  pointer: z.string().describe('Where in the plan.'),
  step: z.string().nullable().describe('Id of the step; null for the plan as a whole.'),
});

/** What drafting an action plan prints. */
export const draftReportSchema = z.object({
  plan: summarySchema.nullable().describe('The plan that the goal is of; null without a goal.'),
  goal: z.string().nullable(),
  id: z.string().nullable().describe('Null when it was not stored.'),
  file: z.string().nullable(),
  by: z.enum(EXPANDERS),
  action_plan: z.record(z.string(), z.unknown()).describe('In frctl’s own form (action-plan-v1).'),
  findings: z.array(findingSchema).readonly(),
  usage: usageSchema,
  notes: z.array(z.string()).readonly().describe('What happened on the way, such as a repair.'),
  warnings: z
    .array(warningSchema)
    .readonly()
    .describe('What the repository has decided, such as methods of its own.'),
});

/** What drafting came to. */
export interface DraftReport extends z.output<typeof draftReportSchema> {
  readonly action_plan: JsonObject;
  /** The plan for people. */
  readonly text: string;
}

/** The same, but what the repository has decided. */
export type Draft = Omit<DraftReport, 'warnings'>;
