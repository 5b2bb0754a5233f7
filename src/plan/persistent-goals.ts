import { Map as ImmutableMap } from 'immutable';

import type { Goals } from './goals.js';
import type { Goal } from './schema.js';

/** What was changed since the map was made; null for a goal that was taken out. */
interface Changes {
  /** The last ones, in a map that is copied for each: while there are few, that is cheaper to make and to read. */
  readonly last: ReadonlyMap<string, Goal | null>;
  readonly before: ImmutableMap<string, Goal | null>;
}

/** So many changes are copied for each. */
const FEW = 32;
const NONE: Changes = { last: new Map(), before: ImmutableMap() };

/**
 * The goals of a map, which must not be changed any more; a change costs the same in a small plan and a large
 * one. Only what changes later is kept in persistent maps, so that a large plan of which little changes is
 * there at once, and read about as fast as the map.
 */
export function persistentGoals(made: ReadonlyMap<string, Goal>): Goals {
  return changedGoals(made, NONE, made.size);
}

function changedGoals(made: ReadonlyMap<string, Goal>, changes: Changes, size: number): Goals {
  const get = (id: string): Goal | undefined => {
    const changed = changeOf(changes, id);
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
    set: (id, goal) => changedGoals(made, withChange(changes, id, goal), goals.has(id) ? size : size + 1),
    remove: (id) => (goals.has(id) ? changedGoals(made, withChange(changes, id, null), size - 1) : goals),
  };
  return goals;
}

function changeOf({ last, before }: Changes, id: string): Goal | null | undefined {
  if (last.size === 0) return undefined;
  const changed = last.get(id);
  return changed === undefined && before.size > 0 ? before.get(id) : changed;
}

function withChange({ last, before }: Changes, id: string, goal: Goal | null): Changes {
  if (last.size < FEW) return { last: new Map(last).set(id, goal), before };
  return { last: new Map([[id, goal]]), before: before.merge(last) };
}

function* entries(
  made: ReadonlyMap<string, Goal>,
  changes: Changes,
): Generator<readonly [string, Goal], void, undefined> {
  for (const entry of made) {
    const changed = changeOf(changes, entry[0]);
    if (changed === undefined) yield entry;
    else if (changed !== null) yield [entry[0], changed];
  }
  for (const [id, goal] of changes.before.merge(changes.last)) {
    if (goal !== null && !made.has(id)) yield [id, goal];
  }
}
