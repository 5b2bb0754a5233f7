import * as z from 'zod';

import { freedGoals } from '../../plan/readiness/freed-goals.js';
import { goalOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { summarySchema } from '../../plan/schema.js';
import { ancestors } from '../../plan/tree.js';
import { replannedSchema } from '../editing/replanning/replanned-schema.js';
import { withNumbers } from '../shared/numbered-goals.js';
import { numberedGoal } from '../shared/report-schemas.js';
import type { WrittenChange } from '../shared/write-event.js';
import { goalAfter } from './goal-after-change.js';
import { summaryAt } from '../../plan/readiness/plan-progress.js';

/** What `complete` prints. */
export const completionReportSchema = z.object({
  plan: summarySchema,
  goal: numberedGoal,
  others: z.array(numberedGoal).readonly().optional().describe('The others that were completed with it.'),
  completed_parents: z
    .array(numberedGoal)
    .readonly()
    .describe('The goals above that this completed, nearest first.'),
  became_ready: z
    .array(numberedGoal)
    .readonly()
    .describe('The goals that waited for what is complete now, and can start.'),
  notices: z
    .array(z.string())
    .readonly()
    .describe('What the user should know, such as a digest that could not be made.'),
  revision: replannedSchema
    .nullable()
    .optional()
    .describe('With `revise`: what is left beside the goal, proposed again; null when that failed.'),
});

/** What completing goals came to. */
export type CompletionReport = z.output<typeof completionReportSchema>;

/** Reports the goals that were completed, the goals above them that this completed, and what can start now. */
export function completionReport(
  plan: Plan,
  ids: readonly string[],
  at: string,
  { before, after }: WrittenChange,
): Omit<CompletionReport, 'notices' | 'revision'> {
  const above = ids.flatMap((id) => ancestors(after, goalOf(after, id)).toReversed());
  const parents = [...new Map(above.map((parent) => [parent.id, parent])).values()]
    .filter(({ status }) => status === 'complete')
    .filter((parent) => before.goals.get(parent.id)?.status !== 'complete')
    .toSorted((a, b) => b.depth - a.depth);
  const done = new Set([...ids, ...parents.map((parent) => parent.id)]);
  const [first = '', ...others] = ids;
  return {
    plan: summaryAt(plan, at),
    goal: goalAfter(plan, after, first, at),
    ...(others.length === 0 ? {} : { others: others.map((id) => goalAfter(plan, after, id, at)) }),
    completed_parents: parents.map((parent) => goalAfter(plan, after, parent.id, at)),
    became_ready: withNumbers(plan, freedGoals(plan, done, at), at),
  };
}
