import type { PayloadOf } from '../../plan/events.js';
import { workOf } from '../../plan/events/new-goal.js';
import type { NewGoal } from '../../plan/events/new-goal.js';
import type { Goal } from '../../plan/schema.js';
import type { ChangeReport } from './change-goals.js';

/** Whether a goal is to be done as it is. What it says would be nobody's work any more once it has sub-goals. */
export function isWork({ child_ids, status, failure }: Goal): boolean {
  return (
    child_ids.length === 0 && (status === 'atomic' || (status === 'failed' && failure?.phase === 'work'))
  );
}

/** Returns the first sub-goal of a goal that is work, which takes that over, and perhaps others behind it. */
export function withOwnWork(
  parent: Goal,
  others: readonly NewGoal[],
  id: string,
): Pick<PayloadOf<'goals_added'>, 'sub_goals' | 'own_work' | 'moves_work'> {
  const { reasoning } = parent;
  const own: NewGoal = { id, ...workOf(parent), atomic: true, reasoning, dependencies: [] };
  return { sub_goals: [own, ...others], own_work: id, moves_work: true };
}

/** Returns what to say of a goal whose own work is a sub-goal of it now; null where that is not so. */
export function keptWork({ changes }: ChangeReport, ownWork: string | undefined): string | null {
  const own = changes.find(({ goal, before }) => before === null && goal === ownWork);
  if (own === undefined) return null;
  const above = own.number.split('.').slice(0, -1).join('.') || 'the root';
  return `The work of ${above} itself is ${own.number} now; ${above} is done when all below it is.`;
}
