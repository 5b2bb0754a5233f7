import * as z from 'zod';

import { defineOperation } from '../operation.js';
import { goalArgument } from '../shared/fields.js';
import { goalToChange } from '../shared/find-to-change.js';
import { tellOfGone } from '../reading/open-runs.js';
import { changeFields } from './change-fields.js';
import { changeGoals, changeReportSchema } from './change-goals.js';
import { givenReason } from './goal-texts.js';

/**
 * Takes an expansion back: all below the goal goes, and it waits to be planned again.
 * @throws PlanError GOAL_NOT_FOUND, INVALID_INPUT, REFUSED when something below it is finished or held
 */
export const rollBackExpansion = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({ goal: goalArgument(), ...changeFields() }),
  output: changeReportSchema,
  examples: ['plan rollback 2', 'plan rollback 2 --reason "Too fine" && plan resume'],
  mutates: true,
  async run(context, input) {
    const { log, goal } = await goalToChange(context, input.goal, input);
    const payload = {
      type: 'expansion_rolled_back' as const,
      goal: goal.id,
      ...givenReason(input.because),
    };
    const report = await changeGoals(context, log, payload, input);
    await tellOfGone(context, log.plan, report.changes);
    return report;
  },
});
