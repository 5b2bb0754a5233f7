import type { Goals } from './goals.js';
import { layeredMap } from '../kernel/layered-map.js';
import type { LayeredMap } from '../kernel/layered-map.js';
import type { Goal } from './schema.js';

/** What was changed since the map was made; null for a goal that was taken out. */
type Changes = LayeredMap<Goal | null>;

/**
 * The goals of a map, which must not be changed any more, each under its own id; a change costs the same in a small
 * plan and a large one. Only what changes later is kept in a map of layers, so that a large plan of which little changes
 * is there at once, and read about as fast as the map.
 */
export function persistentGoals(made: ReadonlyMap<string, Goal>): Goals {
  return changedGoals(made, layeredMap(), made.size);
}

function changedGoals(made: ReadonlyMap<string, Goal>, changes: Changes, size: number): Goals {
  const get = (id: string): Goal | undefined => {
    const changed = isChanged ? changes.get(id) : undefined;
    return changed === undefined ? made.get(id) : (changed ?? undefined);
  };
  const isChanged = changes.size > 0;
  let listed: readonly Goal[] | undefined;
  // A command goes through all goals several times, and a list is gone through much faster than two maps.
  const all = () => (listed ??= listOf(made, changes));
  const goals: Goals = {
    size,
    get,
    has: (id) => get(id) !== undefined,
    *keys() {
      for (const { id } of all()) yield id;
    },
    values: all,
    *[Symbol.iterator]() {
      for (const goal of all()) yield [goal.id, goal];
    },
    set: (id, goal) => changedGoals(made, changes.with(id, goal), goals.has(id) ? size : size + 1),
    remove: (id) => (goals.has(id) ? changedGoals(made, changes.with(id, null), size - 1) : goals),
  };
  return goals;
}

function listOf(made: ReadonlyMap<string, Goal>, changes: Changes): readonly Goal[] {
  if (changes.size === 0) return [...made.values()];
  const changed = new Map(changes);
  const list: Goal[] = [];
  // Without an iterator, which would make a pair for each of very many goals.
  made.forEach((goal, id) => {
    const now = changed.get(id);
    if (now === undefined) list.push(goal);
    else if (now !== null) list.push(now);
  });
  for (const [id, goal] of changed) if (goal !== null && !made.has(id)) list.push(goal);
  return list;
}
