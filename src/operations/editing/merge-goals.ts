import * as z from 'zod';

import { planToChange } from '../shared/find-to-change.js';
import { tellOfGone } from '../reading/open-runs.js';
import { defineOperation } from '../operation.js';
import { field, text } from '../shared/fields.js';
import { findGoalInPlan, planMeantByGoals } from '../shared/find-plan.js';
import { changeFields, dryRunOption } from './change-fields.js';
import { changeGoals, changeReportSchema } from './change-goals.js';
import { givenReason, givenText } from './goal-texts.js';

/**
 * Makes one goal of siblings that nobody has begun; the first stays, with the details and dependencies of all. It says
 * what they said, one after the other, unless it is given a description.
 * @throws PlanError GOAL_NOT_FOUND, INVALID_INPUT, also for fewer than two, REFUSED
 */
export const mergeGoals = defineOperation({
  arguments: ['goals'],
  input: z.strictObject({
    goals: field(
      z.array(z.string()).min(2).readonly(),
      'goal ids, their suffixes or numbers, two or more; the first stays',
      { value: 'goals' },
    ),
    description: text('what it says from here on'),
    dryRun: dryRunOption(),
    ...changeFields(),
  }),
  output: changeReportSchema,
  examples: ['plan merge 1.2 1.3 --description "Set up the database"'],
  mutates: true,
  async run(context, input) {
    const log = await planToChange(context, planMeantByGoals(input.plan, input.goals));
    const [first, ...others] = input.goals.map((name) => findGoalInPlan(log.plan, name));
    if (first === undefined) throw new TypeError('there are two or more');
    const said = [first, ...others].map(({ description }) => description).join('; ');
    const payload = {
      type: 'goals_merged' as const,
      goal: first.id,
      merged: others.map(({ id }) => id),
      description: givenText('description', input.description ?? said),
      ...givenReason(input.because),
    };
    const report = await changeGoals(context, log, payload, input);
    await tellOfGone(context, log.plan, report.changes);
    return report;
  },
});
