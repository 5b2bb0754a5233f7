import * as z from 'zod';

import { GOAL_ID_PATTERN } from '../ids.js';
import { decisionSchema, usageSchema, warningSchema } from '../schema.js';

export const goalId = z.string().regex(GOAL_ID_PATTERN, 'must be <plan id>-<suffix>');

/** What the calls to a model cost that led to an event, and what came to light by them. */
export const spent = { usage: usageSchema.optional(), warnings: z.array(warningSchema).optional() };

export const claimToken = z
  .string()
  .min(1)
  .optional()
  .describe('Proof of the claim under which it is done; without one the claim must be of the same name.');

/** The field of an event for what planning decided. */
export const decisions = () =>
  z
    .array(decisionSchema)
    .optional()
    .describe('What was decided with it; what somebody decided before stays as it is.');

/** Why somebody made a change by hand. */
export const because = z.string().optional();

/** The field of an event for a place among siblings. */
export const atIndex = (siblings: string) =>
  z.int().nonnegative().optional().describe(`Place among the ${siblings}, from 0; else last.`);
