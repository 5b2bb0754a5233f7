import * as z from 'zod';

import type { PayloadOf } from '../../plan/events.js';
import { workOf } from '../../plan/events/new-goal.js';
import type { NewGoal } from '../../plan/events/new-goal.js';
import type { Goal } from '../../plan/schema.js';
import { changeFields, detailFields, positionFields } from './change-fields.js';
import { changeGoals, changeReportSchema } from './change-goals.js';
import type { ChangeReport } from './change-goals.js';
import { defineOperation } from '../operation.js';
import { field, texts, toggle } from '../shared/fields.js';
import { findGoalInPlan, planMeantByGoals } from '../shared/find-plan.js';
import { positionFor } from './goal-position.js';
import { givenReason, givenText, givenPriority, givenTexts, optionalText } from './goal-texts.js';
import { givenChecks, givenTouches } from './given-work.js';
import { planToChange } from '../shared/find-to-change.js';
import { newGoalIds } from '../shared/new-goal-ids.js';

/**
 * Adds a goal by hand, below the root unless it is said otherwise.
 * @throws PlanError INVALID_INPUT, USAGE, GOAL_NOT_FOUND, REFUSED
 */
export const addGoal = defineOperation({
  arguments: ['description'],
  input: z.strictObject({
    description: field(z.string(), 'what to accomplish', { value: 'description' }),
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
      ...(touches === undefined ? {} : { touches }),
      ...(checks === undefined ? {} : { checks }),
    };
    const payload: PayloadOf<'goals_added'> = {
      type: 'goals_added',
      parent: parent.id,
      ...(isWork(parent) ? withOwnWork(parent, goal, newGoalId()) : { sub_goals: [goal], ...place }),
      ...givenReason(input.because),
    };
    const report = await changeGoals(context, log, payload, input);
    const kept = keptWork(report, payload);
    if (kept !== null) context.emit({ type: 'notice', message: kept });
    const placed = placedOnly(report, { after, dependsOn });
    if (placed !== null) context.emit({ type: 'notice', message: placed });
    return report;
  },
});

/** Whether a goal is to be done as it is. What it says would be nobody's work any more once it has sub-goals. */
function isWork({ child_ids, status, failure }: Goal): boolean {
  return (
    child_ids.length === 0 && (status === 'atomic' || (status === 'failed' && failure?.phase === 'work'))
  );
}

/** A new goal beside the work of its parent, which comes first. */
function withOwnWork(parent: Goal, added: NewGoal, id: string) {
  const { reasoning } = parent;
  const own: NewGoal = { id, ...workOf(parent), atomic: true, reasoning, dependencies: [] };
  return { sub_goals: [own, added], own_work: id };
}

/** What to say of a goal whose own work is a sub-goal of it now; null where that is not so. */
function keptWork({ changes }: ChangeReport, payload: PayloadOf<'goals_added'>): string | null {
  const own = changes.find(({ goal, before }) => before === null && goal === payload.own_work);
  if (own === undefined) return null;
  const above = own.number.split('.').slice(0, -1).join('.') || 'the root';
  return `The work of ${above} itself is ${own.number} now; ${above} is done when all below it is.`;
}

/** What to say of a goal that stands after another and does not wait for it; null where that is not so. */
function placedOnly(
  { changes }: ChangeReport,
  { after, dependsOn }: { readonly after: string | undefined; readonly dependsOn: readonly string[] },
): string | null {
  const added = changes.find(({ before }) => before === null);
  if (after === undefined || dependsOn.length > 0 || added === undefined) return null;
  return `${added.number} stands after ${after} and does not wait for it; \`plan depend ${added.number} --on ${after}\` makes it wait.`;
}
