import * as z from 'zod';

import { summarySchema } from '../../../plan/schema.js';

export const ENDS = [
  'all_done',
  'nothing_ready',
  'failed',
  'waits',
  'budget',
  'paused',
  'agent',
  'storage',
] as const;
export const STATUS: Readonly<Record<(typeof ENDS)[number], number>> = {
  all_done: 0,
  nothing_ready: 1,
  failed: 1,
  agent: 5,
  budget: 6,
  storage: 7,
  waits: 8,
  paused: 130,
};

const workedGoalSchema = z
  .object({
    goal: z.string(),
    number: z.string(),
    outcome: z.enum(['landed', 'failed', 'waiting', 'lost', 'interrupted', 'agent']),
    attempts: z.number().describe('Runs of the agent.'),
    commit: z.string().nullable(),
    files: z.array(z.string()).readonly(),
    reason: z.string().nullable(),
    cost_usd: z.number().nullable(),
    seconds: z.number(),
    session: z.string().nullable(),
  })
  .readonly();

export const workReportSchema = z
  .object({
    plan: summarySchema,
    base: z.object({ branch: z.string(), from: z.string(), to: z.string() }).readonly().optional(),
    ended: z.enum(ENDS).optional(),
    goals: z.array(workedGoalSchema).readonly().optional(),
    spent: z
      .object({ attempts: z.number(), seconds: z.number(), cost_usd: z.number(), unknown: z.number() })
      .readonly()
      .optional()
      .describe('`unknown` counts goals whose cost the agent did not report.'),
    would: z
      .array(
        z
          .object({
            goal: z.string(),
            number: z.string(),
            agent: z.string(),
            checks: z.array(z.string()).readonly(),
            touches: z.array(z.string()).readonly(),
          })
          .readonly(),
      )
      .readonly()
      .optional()
      .describe('With `dryRun`: what would be begun now.'),
    refused: z.string().nullable().optional().describe('With `dryRun`: why nothing would be begun.'),
  })
  .readonly();

export type WorkReport = z.output<typeof workReportSchema>;
