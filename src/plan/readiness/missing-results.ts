import type { Plan } from '../plan.js';
import type { Goal, MissingResult } from '../schema.js';

/**
 * Lists the results that goals use and none makes, as the last comparison of all leaves found them, and that are missing
 * still: some goal that uses one is neither done nor gone, and waits for no goal that was added since.
 */
export function missingResults(plan: Plan): readonly MissingResult[] {
  const { linked } = plan.header;
  if (linked === undefined) return [];
  return linked.missing.flatMap(({ used_by, ...missing }) => {
    const users = used_by.filter((id) => isWithout(plan, plan.goals.get(id), linked.at));
    return users.length === 0 ? [] : [{ ...missing, used_by: users }];
  });
}

/** Lists what any of some goals uses and no goal makes. */
export function missingFor(plan: Plan, goals: readonly Goal[]): readonly string[] {
  const ids = new Set(goals.map(({ id }) => id));
  return missingResults(plan)
    .filter(({ used_by }) => used_by.some((id) => ids.has(id)))
    .map(({ what }) => what);
}

function isWithout(plan: Plan, goal: Goal | undefined, since: string): boolean {
  if (goal === undefined || goal.status === 'complete') return false;
  return !goal.dependencies.some((on) => {
    const made = plan.goals.get(on)?.created_at;
    return made !== undefined && Date.parse(made) > Date.parse(since);
  });
}
