import * as z from 'zod';

import type { PayloadOf } from '../../plan/events.js';
import type { NewGoal } from '../../plan/events/new-goal.js';
import { changeFields, detailFields, positionFields } from './change-fields.js';
import { changeGoals, changeReportSchema } from './change-goals.js';
import type { ChangeReport } from './change-goals.js';
import { defineOperation } from '../operation.js';
import { field, texts, toggle } from '../shared/fields.js';
import { findGoalInPlan, planMeantByGoals } from '../shared/find-plan.js';
import { positionFor } from './goal-position.js';
import { nodeNamedBy } from '../../plan/readiness/touches.js';
import { givenReason, givenText, givenPriority, givenTexts, optionalText } from './goal-texts.js';
import { givenChecks, givenTouches } from './given-work.js';
import { isWork, keptWork, withOwnWork } from './own-work.js';
import { planToChange } from '../shared/find-to-change.js';
import { newGoalIds } from '../shared/new-goal-ids.js';

/**
 * Adds a goal by hand, below the root unless it is said otherwise.
 * @throws PlanError INVALID_INPUT, USAGE, GOAL_NOT_FOUND, REFUSED
 */
export const addGoal = defineOperation({
  arguments: ['description'],
  input: z.strictObject({
    description: field(z.string(), 'what to accomplish', { value: 'description', words: true }),
    ...positionFields(),
    ...detailFields(),
    tags: texts('its tags', 'tag', { flag: 'tag' }),
    dependsOn: texts('goals that come first', 'goal'),
    composite: toggle('it waits to be planned (default: it is atomic)'),
    ...changeFields(),
  }),
  output: changeReportSchema,
  examples: [
    'plan add "Write the release notes"',
    'plan add "Rate-limit the sign-in" --under 2 --after 2.3 --depends-on 2.1',
  ],
  mutates: true,
  async run(context, input) {
    const { under, before, after, dependsOn = [] } = input;
    const named = planMeantByGoals(input.plan, [under, before, after, ...dependsOn]);
    const log = await planToChange(context, named);
    const { parent, ...place } = positionFor(log.plan, input);
    const detail = optionalText('detail', input.detail);
    const acceptance = givenTexts('acceptance', input.acceptance);
    const tags = givenTexts('tag', input.tags);
    const priority = givenPriority(input.priority);
    const touches = givenTouches(input.touches);
    const checks = givenChecks(input.checks);
    const newGoalId = newGoalIds(context.environment, log.plan.header.id, (id) => log.plan.goals.has(id));
    const goal: NewGoal = {
      id: newGoalId(),
      description: givenText('description', input.description),
      atomic: input.composite === true ? null : true,
      reasoning: null,
      dependencies: dependsOn.map((name) => findGoalInPlan(log.plan, name).id),
      ...(detail === undefined ? {} : { detail }),
      ...(acceptance === undefined ? {} : { acceptance }),
      ...(tags === undefined ? {} : { tags }),
      ...(priority === undefined ? {} : { priority }),
      ...(touches === undefined ? {} : { touches, ...nodeNamedBy(touches) }),
      ...(checks === undefined ? {} : { checks }),
    };
    const payload: PayloadOf<'goals_added'> = {
      type: 'goals_added',
      parent: parent.id,
      ...(isWork(parent) ? withOwnWork(parent, [goal], newGoalId()) : { sub_goals: [goal], ...place }),
      ...givenReason(input.because),
    };
    const report = await changeGoals(context, log, payload, input);
    const kept = keptWork(report, payload.own_work);
    if (kept !== null) context.emit({ type: 'notice', message: kept });
    const placed = placedOnly(report, { after, dependsOn });
    if (placed !== null) context.emit({ type: 'notice', message: placed });
    return report;
  },
});

/** What to say of a goal that stands after another and does not wait for it; null where that is not so. */
function placedOnly(
  { changes }: ChangeReport,
  { after, dependsOn }: { readonly after: string | undefined; readonly dependsOn: readonly string[] },
): string | null {
  const added = changes.find(({ before }) => before === null);
  if (after === undefined || dependsOn.length > 0 || added === undefined) return null;
  return `${added.number} stands after ${after} and does not wait for it; \`plan depend ${added.number} --on ${after}\` makes it wait.`;
}
