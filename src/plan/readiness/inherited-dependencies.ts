import type { Plan } from '../plan.js';
import type { Goal } from '../schema.js';
import { ancestors } from '../tree.js';

/** A goal that one waits for, or that waits for it, because of what stands at a goal above: both are ids. */
export interface InheritedDependency {
  readonly goal: string;
  /** The goal above it that has the dependency, or that is depended on. */
  readonly by: string;
}

/** What a goal waits for because goals above it depend on it, the nearest first; what it depends on itself is left out. */
export function inheritedDependencies(plan: Plan, goal: Goal): readonly InheritedDependency[] {
  const known = new Set(goal.dependencies);
  return ancestors(plan, goal)
    .toReversed()
    .flatMap(({ id: by, dependencies }) =>
      dependencies.flatMap((needed) => {
        if (known.has(needed)) return [];
        known.add(needed);
        return [{ goal: needed, by }];
      }),
    );
}

/** The goals that wait for a goal because they depend on one above it; those that depend on itself are left out. */
export function inheritedDependents(plan: Plan, goal: Goal): readonly InheritedDependency[] {
  const above = ancestors(plan, goal)
    .toReversed()
    .map(({ id }) => id);
  if (above.length === 0) return [];
  return [...plan.goals.values()].flatMap(({ id, dependencies }) => {
    if (dependencies.length === 0 || dependencies.includes(goal.id)) return [];
    const by = above.find((each) => dependencies.includes(each));
    return by === undefined ? [] : [{ goal: id, by }];
  });
}
