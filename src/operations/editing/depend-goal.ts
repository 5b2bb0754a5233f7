import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { defineOperation } from '../operation.js';
import { goalArgument, texts } from '../shared/fields.js';
import { findGoalInPlan } from '../shared/find-plan.js';
import { goalToChange } from '../shared/find-to-change.js';
import { changeFields } from './change-fields.js';
import { changeGoals, changeReportSchema } from './change-goals.js';
import { givenReason } from './goal-texts.js';

/**
 * Makes a goal wait for others, or no longer.
 * @throws PlanError USAGE when no other is named, GOAL_NOT_FOUND, INVALID_INPUT, REFUSED with the circle it would close
 */
export const dependGoal = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({
    goal: goalArgument(),
    on: texts('goals that come first from now on', 'goal'),
    notOn: texts('goals that it waits for no longer', 'goal'),
    ...changeFields(),
  }),
  output: changeReportSchema,
  examples: ['plan depend 2.1 --on 1.3 --reason "It reads the new schema"', 'plan depend 2 --not-on 1'],
  mutates: true,
  async run(context, input) {
    const { on = [], notOn = [] } = input;
    if (on.length + notOn.length === 0)
      throw new PlanError('USAGE', 'no other goal is named', {
        hint: [{ commandLine: 'Give --on, --not-on, or both.', tools: 'Give on, off, or both.' }],
      });
    const { log, goal } = await goalToChange(context, input.goal, input);
    const idsOf = (names: readonly string[]) => [
      ...new Set(names.map((one) => findGoalInPlan(log.plan, one).id)),
    ];
    const add = idsOf(on).filter((id) => !goal.dependencies.includes(id));
    const change = { goal: goal.id, add, remove: idsOf(notOn), ...givenReason(input.because) };
    return changeGoals(context, log, { type: 'dependencies_changed', changes: [change] }, input);
  },
});
