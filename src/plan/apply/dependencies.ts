import { findCycleThrough } from '../readiness/dependencies.js';
import { putGoal } from '../plan.js';
import type { Plan } from '../plan.js';
import { acceptEvent, refuse } from '../events/define-event.js';
import type { Transition } from '../events/define-event.js';

/** What a goal gains and loses of its dependencies. */
export interface DependencyChange {
  readonly goal: string;
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Applies changes of dependencies, all or none of them; a finished goal gains none, and no cycle is closed. */
export function changeDependencies(plan: Plan, changes: readonly DependencyChange[], at: string): Transition {
  let next = plan;
  for (const { goal: id, add, remove } of changes) {
    const goal = next.goals.get(id);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: id });
    const unknown = add.find((dependency) => !plan.goals.has(dependency));
    if (unknown !== undefined) return refuse({ code: 'no_goal', goal: unknown });
    const had = new Set(goal.dependencies);
    const absent = remove.find((dependency) => !had.has(dependency));
    if (absent !== undefined) return refuse({ code: 'not_dependent', goal: id, on: absent });
    const gained = add.filter((dependency) => !had.has(dependency));
    if (gained.length > 0 && goal.status === 'complete') return refuse({ code: 'complete', goal: id });
    const lost = new Set(remove);
    const dependencies = [
      ...goal.dependencies.filter((dependency) => !lost.has(dependency)),
      ...new Set(gained),
    ];
    next = putGoal(next, { ...goal, dependencies, updated_at: at });
  }
  const changed = changes.filter(({ add }) => add.length > 0).map(({ goal }) => goal);
  const cycle = findCycleThrough(next, changed);
  return cycle === null ? acceptEvent(next) : refuse({ code: 'cycle', goals: cycle });
}
