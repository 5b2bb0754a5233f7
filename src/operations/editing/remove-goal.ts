import * as z from 'zod';

import { goalOf } from '../../plan/plan.js';
import { ancestors } from '../../plan/tree.js';
import { defineOperation } from '../operation.js';
import { field, goalArgument, toggle } from '../shared/fields.js';
import { findGoalInPlan } from '../shared/find-plan.js';
import { goalToChange } from '../shared/find-to-change.js';
import { tellOfGone } from '../reading/open-runs.js';
import { changeFields, dryRunOption } from './change-fields.js';
import { changeReportSchema } from './change-goals.js';
import { changeSeveral } from './change-several.js';
import { givenReason } from './goal-texts.js';

/**
 * Takes goals away with all below them, all or none, with `force` also finished work; what somebody holds never goes. What depended
 * on it depends on what it depended on.
 * @throws PlanError GOAL_NOT_FOUND, INVALID_INPUT, REFUSED
 */
export const removeGoal = defineOperation({
  arguments: ['goal', 'others'],
  input: z.strictObject({
    goal: goalArgument(),
    others: field(z.array(z.string()).readonly().optional(), 'more goals: all are taken away, or none', {
      value: 'others',
    }),
    force: toggle('also with finished work'),
    dryRun: dryRunOption(),
    ...changeFields(),
  }),
  output: changeReportSchema,
  examples: ['plan remove 1.4 --reason "The provider does it for us"', 'plan remove 5.1 5.2'],
  mutates: true,
  async run(context, input) {
    const { log, goal } = await goalToChange(context, input.goal, input);
    const named = [goal, ...(input.others ?? []).map((name) => findGoalInPlan(log.plan, name))];
    const ids = new Set(named.map(({ id }) => id));
    // What is below one of them goes with it.
    const uppermost = [...ids].filter((id) =>
      ancestors(log.plan, goalOf(log.plan, id)).every((above) => !ids.has(above.id)),
    );
    const payloads = uppermost.map((id) => ({
      type: 'goal_removed' as const,
      goal: id,
      ...(input.force === true ? { with_complete: true } : {}),
      ...givenReason(input.because),
    }));
    const report = await changeSeveral(context, log, payloads, input);
    await tellOfGone(context, log.plan, report.changes);
    return report;
  },
});
