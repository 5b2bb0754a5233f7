import * as z from 'zod';

import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { spend, withGoalSpend } from '../../apply/spend.js';
import { putGoal } from '../../plan.js';
import { usageSchema } from '../../schema.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { goalId, spent } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

/**
 * Calls were made of which nothing else came. What was spent was spent, also for a goal that is gone; only what somebody says
 * in place of a process that has gone is refused where it was said before.
 */
export const usageAdded = defineChange({
  type: 'usage_added',
  fields: {
    goal: goalId.optional().describe('The goal that was asked about.'),
    because: z.string().describe('What the calls were made for, and why nothing else came of them.'),
    usage: usageSchema,
    lost: z
      .boolean()
      .optional()
      .describe('Whether nobody is at these calls any more; refused where none of them stands as begun.'),
    warnings: spent.warnings,
    links: z
      .looseObject({
        question: z.string(),
        needs: z.array(z.looseObject({ goal: z.string(), on: z.array(z.string()) })),
        missing: z.array(z.looseObject({ what: z.string(), used_by: z.array(z.string()) })),
      })
      .optional()
      .describe(
        'One of several answers which leaves need each other, in the numbers of its question, until all are there.',
      ),
    triaged: z
      .array(goalId)
      .optional()
      .describe(
        'Goals of a document of which it is settled whether they are work: nobody is asked about them again.',
      ),
  },
  touches: 'its_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const named = new Set(event.usage.begun);
    const isBegun = plan.header.calls?.some(({ id }) => named.has(id)) === true;
    if (event.lost === true && !isBegun) return refuse({ code: 'calls_counted' });
    const goal = event.goal === undefined ? undefined : plan.goals.get(event.goal);
    const next =
      goal === undefined || event.usage.calls === 0
        ? plan
        : putGoal(plan, withGoalSpend({ ...goal, updated_at: event.at }, event.usage));
    return acceptEvent(withPlanStatus(spend(next, event), event));
  },
  describe: ({ goal, because, links, triaged }, named) =>
    links !== undefined
      ? 'compared some of the leaves'
      : triaged !== undefined
        ? `${because} (${quantityOf(triaged.length, 'goal')})`
        : `asked the model${goal === undefined ? '' : ` about ${named(goal)}`} without result${withReason(because)}`,
});
