import type { NewGoal } from '../../plan/events/new-goal.js';
import { changeGoals } from './change-goals.js';
import type { ChangeOptions, ChangeReport } from './change-goals.js';
import type { Context } from '../shared/context.js';
import { findPlan, goalNamed, planOfGoals } from '../shared/find-plan.js';
import { placeFor } from './goal-place.js';
import type { PlaceOptions } from './goal-place.js';
import { givenReason, givenText, givenTexts, optionalText } from './goal-texts.js';
import { newGoalIds } from './new-goal-ids.js';
import { refuseArchived } from '../planning/resume-plan.js';

export interface AddOptions extends ChangeOptions, PlaceOptions {
  readonly description: string;
  readonly detail?: string | undefined;
  /** What must hold for it to be done, one criterion each. */
  readonly acceptance?: readonly string[] | undefined;
  /** Goals that come first. */
  readonly dependsOn?: readonly string[] | undefined;
  /** It waits to be planned (default: it is atomic). */
  readonly composite?: boolean | undefined;
}

/**
 * Adds a goal by hand, below the root unless it is said otherwise.
 * @throws PlanError INVALID_INPUT, USAGE, GOAL_NOT_FOUND, REFUSED
 */
export async function addGoal(context: Context, options: AddOptions): Promise<ChangeReport> {
  const { under, before, after, dependsOn = [] } = options;
  const named = planOfGoals(options.plan, [under, before, after, ...dependsOn]);
  const log = await findPlan(context.store(), named);
  refuseArchived(log);
  const { parent, ...place } = placeFor(log.plan, options);
  const detail = optionalText('detail', options.detail);
  const acceptance = givenTexts('acceptance', options.acceptance);
  const goal: NewGoal = {
    id: newGoalIds(context, log.plan)(),
    description: givenText('description', options.description),
    atomic: options.composite === true ? null : true,
    reasoning: null,
    dependencies: dependsOn.map((name) => goalNamed(log.plan, name).id),
    ...(detail === undefined ? {} : { detail }),
    ...(acceptance === undefined ? {} : { acceptance }),
  };
  const payload = {
    type: 'goals_added' as const,
    parent: parent.id,
    sub_goals: [goal],
    ...place,
    ...givenReason(options.because),
  };
  return changeGoals(context, log, payload, options);
}
