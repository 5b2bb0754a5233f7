import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { defineOperation } from '../operation.js';
import { goalArgument } from '../shared/fields.js';
import { goalToChange } from '../shared/find-to-change.js';
import { changeFields, dryRunOption, positionFields } from './change-fields.js';
import { changeGoals, changeReportSchema } from './change-goals.js';
import { changeSeveral } from './change-several.js';
import { isWork, keptWork, withOwnWork } from './own-work.js';
import { newGoalIds } from '../shared/new-goal-ids.js';
import { positionFor } from './goal-position.js';
import { givenReason } from './goal-texts.js';

/**
 * Moves a goal, with all below it, under another goal or to another place among its siblings. Where the goal above was work
 * itself, that work stays as its first sub-goal.
 * @throws PlanError USAGE when no place is given, INVALID_INPUT, GOAL_NOT_FOUND, REFUSED
 */
export const moveGoal = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({
    goal: goalArgument(),
    ...positionFields(),
    dryRun: dryRunOption(),
    ...changeFields(),
  }),
  output: changeReportSchema,
  examples: ['plan move 3.2 --under 1', 'plan move 1.4 --before 1.1'],
  mutates: true,
  async run(context, input) {
    const { under, before, after, at } = input;
    if ([under, before, after, at].every((one) => one === undefined)) {
      throw new PlanError('USAGE', 'the new position is missing', {
        hint: [
          {
            commandLine: 'Give --under, --before, --after or --at.',
            tools: 'Give parent, before, or both.',
          },
        ],
      });
    }
    const { log, goal } = await goalToChange(context, input.goal, input);
    const { parent, ...place } = positionFor(log.plan, input, goal);
    const reason = givenReason(input.because);
    const moved = { type: 'goal_moved' as const, goal: goal.id, parent: parent.id, ...reason };
    if (!isWork(parent)) return changeGoals(context, log, { ...moved, ...place }, input);
    const id = newGoalIds(context.environment, log.plan.header.id, (one) => log.plan.goals.has(one))();
    const own = {
      type: 'goals_added' as const,
      parent: parent.id,
      ...withOwnWork(parent, [], id),
      ...reason,
    };
    const report = await changeSeveral(context, log, [own, moved], input);
    const kept = input.dryRun === true ? null : keptWork(report, id);
    if (kept !== null) context.emit({ type: 'notice', message: kept });
    return report;
  },
});
