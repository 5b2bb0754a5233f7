import { PlanError } from '../../kernel/errors.js';
import { changeGoals } from './change-goals.js';
import type { ChangeOptions, ChangeReport } from './change-goals.js';
import type { Context } from '../shared/context.js';
import { goalNamed } from '../shared/find-plan.js';
import { givenReason } from './goal-texts.js';
import { goalToWorkOn } from '../work/work-event.js';

export interface DependOptions extends ChangeOptions {
  /** Goals that it waits for from now on. */
  readonly on?: readonly string[] | undefined;
  /** Goals that it waits for no longer. */
  readonly notOn?: readonly string[] | undefined;
}

/**
 * Makes a goal wait for others, or no longer.
 * @throws PlanError USAGE when no other is named, GOAL_NOT_FOUND, INVALID_INPUT, REFUSED with the circle it would close
 */
export async function dependGoal(
  context: Context,
  name: string,
  options: DependOptions,
): Promise<ChangeReport> {
  const { on = [], notOn = [] } = options;
  if (on.length + notOn.length === 0)
    throw new PlanError('USAGE', 'no other goal is named', { hint: 'Give --on, --not-on, or both.' });
  const { log, goal } = await goalToWorkOn(context, name, options);
  const idsOf = (names: readonly string[]) => [...new Set(names.map((one) => goalNamed(log.plan, one).id))];
  const change = { goal: goal.id, add: idsOf(on), remove: idsOf(notOn), ...givenReason(options.because) };
  return changeGoals(context, log, { type: 'dependencies_changed', changes: [change] }, options);
}
