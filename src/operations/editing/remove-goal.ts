import { changeGoals } from './change-goals.js';
import type { ChangeOptions, ChangeReport } from './change-goals.js';
import type { Context } from '../shared/context.js';
import { givenReason } from './goal-texts.js';
import { goalToWorkOn } from '../work/work-event.js';

export interface RemoveOptions extends ChangeOptions {
  /** Also with finished work. What somebody holds never goes. */
  readonly force?: boolean | undefined;
}

/**
 * Takes a goal away with all below it. What depended on it depends on what it depended on.
 * @throws PlanError GOAL_NOT_FOUND, INVALID_INPUT, REFUSED
 */
export async function removeGoal(
  context: Context,
  name: string,
  options: RemoveOptions,
): Promise<ChangeReport> {
  const { log, goal } = await goalToWorkOn(context, name, options);
  const payload = {
    type: 'goal_removed' as const,
    goal: goal.id,
    ...(options.force === true ? { with_complete: true } : {}),
    ...givenReason(options.because),
  };
  return changeGoals(context, log, payload, options);
}

/**
 * Takes an expansion back: all below the goal goes, and it waits to be planned again.
 * @throws PlanError GOAL_NOT_FOUND, INVALID_INPUT, REFUSED when something below it is finished or held
 */
export async function rollBackExpansion(
  context: Context,
  name: string,
  options: ChangeOptions,
): Promise<ChangeReport> {
  const { log, goal } = await goalToWorkOn(context, name, options);
  const payload = {
    type: 'expansion_rolled_back' as const,
    goal: goal.id,
    ...givenReason(options.because),
  };
  return changeGoals(context, log, payload, options);
}
