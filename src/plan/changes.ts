import { definitionOf } from './events.js';
import type { PlanEvent } from './events.js';
import type { Plan } from './plan.js';
import { isSameJson } from '../kernel/json/same-json.js';
import type { Goal } from './schema.js';

/** One goal that differs between two states: as it was and as it became; null where there is none. */
export interface GoalChange {
  readonly goal: string;
  readonly before: Goal | null;
  readonly after: Goal | null;
}

/** The goals that differ between two states of a plan, in the order of the first state, new ones last. */
export function changesBetween(before: Plan, after: Plan): readonly GoalChange[] {
  const changes: GoalChange[] = [];
  for (const [id, goal] of before.goals) {
    const now = after.goals.get(id) ?? null;
    if (now !== goal && !isSameJson(goal, now)) changes.push({ goal: id, before: goal, after: now });
  }
  for (const [id, goal] of after.goals) {
    if (!before.goals.has(id)) changes.push({ goal: id, before: null, after: goal });
  }
  return changes;
}

/**
 * The goals that an event changed: those it names, those above them, and those it made; after what can
 * change any goal every goal is compared. The same as {@link changesBetween}, at the cost of the event.
 */
export function changesBy(event: PlanEvent, before: Plan, after: Plan): readonly GoalChange[] {
  if (before.goals === after.goals) return [];
  const goal = 'goal' in event && typeof event.goal === 'string' ? event.goal : null;
  if (definitionOf(event).touches === 'any_goal' || goal === null) return changesBetween(before, after);
  const ids = new Set([goal]);
  for (let id = before.goals.get(goal)?.parent_id ?? null; id !== null && !ids.has(id);) {
    ids.add(id);
    id = before.goals.get(id)?.parent_id ?? null;
  }
  if (event.type === 'goal_expanded') for (const { id } of event.sub_goals) ids.add(id);
  return [...ids].flatMap((id) => {
    const [was, is] = [before.goals.get(id) ?? null, after.goals.get(id) ?? null];
    return was === is || isSameJson(was, is) ? [] : [{ goal: id, before: was, after: is }];
  });
}
