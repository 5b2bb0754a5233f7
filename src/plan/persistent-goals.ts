import type { Goals } from './goals.js';
import { layeredMap } from './layered-map.js';
import type { LayeredMap } from './layered-map.js';
import type { Goal } from './schema.js';

/** What was changed since the map was made; null for a goal that was taken out. */
type Changes = LayeredMap<Goal | null>;

/**
 * The goals of a map, which must not be changed any more; a change costs the same in a small plan and a large
 * one. Only what changes later is kept in a map of layers, so that a large plan of which little changes is
 * there at once, and read about as fast as the map.
 */
export function persistentGoals(made: ReadonlyMap<string, Goal>): Goals {
  return changedGoals(made, layeredMap(), made.size);
}

function changedGoals(made: ReadonlyMap<string, Goal>, changes: Changes, size: number): Goals {
  const get = (id: string): Goal | undefined => {
    const changed = changes.get(id);
    return changed === undefined ? made.get(id) : (changed ?? undefined);
  };
  const goals: Goals = {
    size,
    get,
    has: (id) => get(id) !== undefined,
    *keys() {
      for (const [id] of entries(made, changes)) yield id;
    },
    *values() {
      for (const [, goal] of entries(made, changes)) yield goal;
    },
    [Symbol.iterator]: () => entries(made, changes),
    set: (id, goal) => changedGoals(made, changes.with(id, goal), goals.has(id) ? size : size + 1),
    remove: (id) => (goals.has(id) ? changedGoals(made, changes.with(id, null), size - 1) : goals),
  };
  return goals;
}

function* entries(
  made: ReadonlyMap<string, Goal>,
  changes: Changes,
): Generator<readonly [string, Goal], void, undefined> {
  for (const entry of made) {
    const changed = changes.get(entry[0]);
    if (changed === undefined) yield entry;
    else if (changed !== null) yield [entry[0], changed];
  }
  for (const [id, goal] of changes) {
    if (goal !== null && !made.has(id)) yield [id, goal];
  }
}
