import * as z from 'zod';

import { estimateSchema, summarySchema, usageSchema } from '../../plan/schema.js';
import { findingsToldSchema } from './findings-schema.js';
import { reportDecisionSchema } from './report-decisions.js';
import { reportLinkedSchema } from './report-links.js';
import {
  blockedGoalSchema,
  claimedGoalSchema,
  heldGoalSchema,
  numberedGoal,
} from '../shared/report-schemas.js';

const goals = z.array(numberedGoal).readonly().optional();

/** What `plan status --json` prints. */
export const statusSchema = z
  .object({
    plan: summarySchema,
    ready: z
      .array(z.string())
      .readonly()
      .describe('The goals that can start now: they wait for nothing, and nobody holds them.'),
    claimed: z
      .array(claimedGoalSchema.readonly())
      .readonly()
      .describe('The goals that somebody holds, depth-first.'),
    blocked: z.array(blockedGoalSchema.readonly()).readonly(),
    on_hold: z
      .array(heldGoalSchema.readonly())
      .readonly()
      .optional()
      .describe('The goals to be done that are on hold, depth-first; missing when none is.'),
    estimate: estimateSchema
      .extend({ spent: usageSchema })
      .optional()
      .describe(
        'What planning was expected to take altogether, and what it has; with every goal, where a model plans.',
      ),
    damage: z
      .array(
        z
          .object({ line: z.number().describe('Its number in the log, from 1.'), reason: z.string() })
          .readonly(),
      )
      .readonly()
      .optional()
      .describe('What is damaged in the log and nobody has accepted; missing when nothing is.'),
    planning: z
      .object({
        by: z.enum(['process', 'workers']),
        host: z.string().describe('Where that process is, or the one that left the plan to workers.'),
        pid: z.int().nonnegative(),
        workers: z
          .int()
          .nonnegative()
          .nullable()
          .describe(
            'How many workers the database has, where it is left to them; null also where that cannot be known.',
          ),
      })
      .readonly()
      .optional()
      .describe(
        'Who plans it now, or is to, or ends what it has begun when the plan is paused; missing when nobody does.',
      ),
    runs: z
      .array(
        z
          .object({
            run: z.string(),
            status: z.enum(['prepared', 'approved', 'waiting', 'interrupted']),
            source: z
              .string()
              .nullable()
              .describe('The file, or the id in the store; null for standard input.'),
            goal: z.string().nullable().describe('The goal that it carries out.'),
            why: z.string().describe('What it waits for.'),
            command: z.string().describe('The command to give, or to look with.'),
          })
          .readonly(),
      )
      .readonly()
      .optional()
      .describe(
        'Runs of the plan, and runs that carry out no goal, which go no further before somebody does something; missing when there is none.',
      ),
    decisions: z
      .array(reportDecisionSchema)
      .readonly()
      .optional()
      .describe('What was decided, in the order of the tree; with every goal, or when asked for.'),
    linked: reportLinkedSchema
      .optional()
      .describe('What comparing all leaves came to; missing where they were never compared.'),
    findings: findingsToldSchema
      .optional()
      .describe(
        'What looks wrong; missing where nothing does, while planning goes on, above 300 goals, and where no goal has a check.',
      ),
    goals: goals.describe('Every goal depth-first, when asked for.'),
    next: goals.describe('The first of the goals that can start now, when asked for.'),
    held: goals.describe('The first of the goals that somebody holds, when asked for.'),
    resting: goals.describe('The first of the goals that are on hold, when asked for.'),
    failed: goals.describe('The first of the goals that failed, when asked for.'),
    numbers: z
      .record(z.string(), z.string())
      .readonly()
      .optional()
      .describe('The numbers of the goals that warnings are about, by their ids, when asked for.'),
  })
  .readonly();

export type StatusReport = z.output<typeof statusSchema>;
