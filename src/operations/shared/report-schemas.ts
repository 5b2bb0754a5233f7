import * as z from 'zod';

import { GOAL_STATES } from '../../plan/choices.js';
import type { openWork } from '../../plan/readiness/open-work.js';
import { goalSchema, summarySchema } from '../../plan/schema.js';

export type { Summary } from '../../plan/schema.js';

/** A goal of the plan file with its number in the tree and its state. */
export const numberedGoal = goalSchema.extend({
  number: z.string().describe('Its place in the tree, such as 1.2.3; empty for the root.'),
  state: z.enum(GOAL_STATES).describe('How it stands with the goal now. Never stored.'),
});

/** Who holds a goal, until when. */
export const claimedGoalSchema = z.object({ goal: z.string(), by: z.string(), expires_at: z.string() });

/** A goal that is on hold, by itself or by a goal above it. */
export const heldGoalSchema = z.object({
  goal: z.string(),
  by: z.string().describe('The goal that was put on hold: it, or one above it.'),
  reason: z.string(),
  until: z.string().optional(),
});

/** Reports a goal that is on hold. */
export function heldGoal({
  goal,
  by,
}: ReturnType<typeof openWork>['held'][number]): z.output<typeof heldGoalSchema> {
  const { reason, until } = by.hold;
  return { goal: goal.id, by: by.goal, reason, ...(until === undefined ? {} : { until }) };
}

/** A goal that cannot start, and the incomplete goals it waits for. */
export const blockedGoalSchema = z.object({ goal: z.string(), waiting_for: z.array(z.string()).readonly() });

/** What failed after a change was stored; it may be beside every document. */
export const warningsSchema = z
  .array(z.looseObject({ code: z.string(), message: z.string() }))
  .describe('What failed after a change was stored.');

/** What every run that plans comes to. */
export const planningReportShape = {
  plan: summarySchema,
  warnings: warningsSchema
    .readonly()
    .describe(
      'What the repository has decided about how it is planned, and what failed after a change was stored.',
    ),
};

/** What `init` and `resume` print. */
export const planningReport = z.object(planningReportShape).readonly();
