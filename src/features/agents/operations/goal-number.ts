import type { Plan } from '../../../plan/plan.js';
import { numberOf } from '../../../plan/tree.js';

/** Returns the number that a goal has by now, empty for the root; null where it is gone from the plan. */
export function numberNow(plan: Plan, id: string): string | null {
  const goal = plan.goals.get(id);
  return goal === undefined ? null : numberOf(plan, goal);
}

/** Returns what people call the goal of an attempt: by its number, or its id where it has none any more. */
export function goalShown({
  goal,
  number,
}: {
  readonly goal: string;
  readonly number: string | null;
}): string {
  if (number === null) return goal;
  return number === '' ? 'root' : number;
}
