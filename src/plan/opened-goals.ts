import type { OpenedGoal } from './apply/opened-goals.js';
import { definitionOf } from './events.js';
import type { PlanEvent } from './events.js';
import type { Plan } from './plan.js';

/**
 * The goals that wait because of an event, as far as they are known before it is applied; others are found when somebody
 * looks through the plan.
 * @param plan as it was before
 */
export function openedGoals(event: PlanEvent, plan: Plan): readonly OpenedGoal[] {
  return definitionOf(event).opens(event, plan);
}

/** When a goal of a depth is taken, those of a lower turn first: level by level, or the deepest first. */
export function goalTurn({ header }: Plan, depth: number): number {
  return header.settings?.order === 'depth' ? Math.max(0, header.settings.max_depth - depth) : depth;
}
