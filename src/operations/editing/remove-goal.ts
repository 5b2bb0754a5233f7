import * as z from 'zod';

import { defineOperation } from '../operation.js';
import { goalArgument, toggle } from '../shared/fields.js';
import { goalToChange } from '../shared/find-to-change.js';
import { changeFields, dryRunOption } from './change-fields.js';
import { changeGoals, changeReportSchema } from './change-goals.js';
import { givenReason } from './goal-texts.js';

/**
 * Takes a goal away with all below it, with `force` also finished work; what somebody holds never goes. What depended
 * on it depends on what it depended on.
 * @throws PlanError GOAL_NOT_FOUND, INVALID_INPUT, REFUSED
 */
export const removeGoal = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({
    goal: goalArgument(),
    force: toggle('also with finished work'),
    dryRun: dryRunOption(),
    ...changeFields(),
  }),
  output: changeReportSchema,
  examples: ['plan remove 1.4 --because "The provider does it for us"'],
  mutates: true,
  async run(context, input) {
    const { log, goal } = await goalToChange(context, input.goal, input);
    const payload = {
      type: 'goal_removed' as const,
      goal: goal.id,
      ...(input.force === true ? { with_complete: true } : {}),
      ...givenReason(input.because),
    };
    return changeGoals(context, log, payload, input);
  },
});
