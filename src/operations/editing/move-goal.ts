import { PlanError } from '../../kernel/errors.js';
import { changeGoals } from './change-goals.js';
import type { ChangeOptions, ChangeReport } from './change-goals.js';
import type { Context } from '../shared/context.js';
import { placeFor } from './goal-place.js';
import type { PlaceOptions } from './goal-place.js';
import { givenReason } from './goal-texts.js';
import { goalToWorkOn } from '../work/work-event.js';

export interface MoveOptions extends ChangeOptions, PlaceOptions {}

/**
 * Moves a goal, with all below it, under another goal or to another place among its siblings.
 * @throws PlanError USAGE when no place is given, INVALID_INPUT, GOAL_NOT_FOUND, REFUSED
 */
export async function moveGoal(context: Context, name: string, options: MoveOptions): Promise<ChangeReport> {
  const { under, before, after, at } = options;
  if ([under, before, after, at].every((one) => one === undefined)) {
    throw new PlanError('USAGE', 'where to is not said', {
      hint: 'Give --under, --before, --after or --at.',
    });
  }
  const { log, goal } = await goalToWorkOn(context, name, options);
  const { parent, ...place } = placeFor(log.plan, options, goal);
  const payload = {
    type: 'goal_moved' as const,
    goal: goal.id,
    parent: parent.id,
    ...place,
    ...givenReason(options.because),
  };
  return changeGoals(context, log, payload, options);
}
