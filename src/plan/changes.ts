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
