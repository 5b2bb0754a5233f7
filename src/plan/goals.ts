import type { Goal } from './schema.js';

/** Goals by id, never mutated: a change makes another such map. The order is none in particular. */
export interface Goals extends Iterable<readonly [string, Goal]> {
  readonly size: number;
  get(id: string): Goal | undefined;
  has(id: string): boolean;
  keys(): Iterable<string>;
  values(): Iterable<Goal>;
  set(id: string, goal: Goal): Goals;
  remove(id: string): Goals;
}

/** Goals that are looked at; a change, should one be made, copies them all. The map must not be changed any more. */
export function fixedGoals(made: ReadonlyMap<string, Goal>): Goals {
  return {
    size: made.size,
    get: (id) => made.get(id),
    has: (id) => made.has(id),
    keys: () => made.keys(),
    values: () => made.values(),
    [Symbol.iterator]: () => made[Symbol.iterator](),
    set: (id, goal) => fixedGoals(new Map(made).set(id, goal)),
    remove: (id) => fixedGoals(new Map([...made].filter(([other]) => other !== id))),
  };
}
