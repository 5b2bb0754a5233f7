import { PlanError } from '../../kernel/errors.js';
import { changeGoals } from './change-goals.js';
import type { ChangeOptions, ChangeReport } from './change-goals.js';
import type { Context } from '../shared/context.js';
import { findPlan, goalNamed, planOfGoals } from '../shared/find-plan.js';
import { givenReason, givenText } from './goal-texts.js';
import { refuseArchived } from '../planning/resume-plan.js';

export interface MergeOptions extends ChangeOptions {
  /** What it says from here on (default: what they said, one after the other). */
  readonly description?: string | undefined;
}

/**
 * Makes one goal of siblings that nobody has begun; the first stays, with the details and dependencies of all.
 * @throws PlanError USAGE for fewer than two, GOAL_NOT_FOUND, INVALID_INPUT, REFUSED
 */
export async function mergeGoals(
  context: Context,
  names: readonly string[],
  options: MergeOptions,
): Promise<ChangeReport> {
  const log = await findPlan(context.store(), planOfGoals(options.plan, names));
  refuseArchived(log);
  const [first, ...others] = names.map((name) => goalNamed(log.plan, name));
  if (first === undefined || others.length === 0)
    throw new PlanError('USAGE', 'two or more goals are merged', { hint: 'plan merge 1.2 1.3' });
  const said = [first, ...others].map(({ description }) => description).join('; ');
  const payload = {
    type: 'goals_merged' as const,
    goal: first.id,
    merged: others.map(({ id }) => id),
    description: givenText('description', options.description ?? said),
    ...givenReason(options.because),
  };
  return changeGoals(context, log, payload, options);
}
