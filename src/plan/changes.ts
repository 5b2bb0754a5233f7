import type { EventType, PlanEvent } from './events.js';
import type { Plan } from './plan.js';
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

/** Events that change the goal they name, those above it, and those they make, and no other. */
const LOCAL_EVENTS: ReadonlySet<EventType> = new Set([
  'goal_expanded',
  'goal_failed',
  'goal_completed',
  'goal_reopened',
  'goal_digested',
  'goal_claimed',
  'claim_renewed',
  'claim_released',
  'goal_edited',
  'action_plan_linked',
  'usage_added',
] as const);

/**
 * The goals that an event changed: those it names, those above them, and those it made; after what can
 * change any goal every goal is compared. The same as {@link changesBetween}, at the cost of the event.
 */
export function changesBy(event: PlanEvent, before: Plan, after: Plan): readonly GoalChange[] {
  if (before.goals === after.goals) return [];
  if (!LOCAL_EVENTS.has(event.type) || typeof event.goal !== 'string') return changesBetween(before, after);
  const ids = new Set([event.goal]);
  for (let id = before.goals.get(event.goal)?.parent_id ?? null; id !== null && !ids.has(id);) {
    ids.add(id);
    id = before.goals.get(id)?.parent_id ?? null;
  }
  if (event.type === 'goal_expanded') for (const { id } of event.sub_goals) ids.add(id);
  return [...ids].flatMap((goal) => {
    const [was, is] = [before.goals.get(goal) ?? null, after.goals.get(goal) ?? null];
    return was === is || isSameJson(was, is) ? [] : [{ goal, before: was, after: is }];
  });
}

/** Whether two JSON values are the same; the order of members does not count, a member that is undefined is none. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [membersOf(a), membersOf(b)];
  return (
    left.size === right.size &&
    [...left].every(([key, value]) => right.has(key) && isSameJson(value, right.get(key)))
  );
}

function membersOf(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined));
}
