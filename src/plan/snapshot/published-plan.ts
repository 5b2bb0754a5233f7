import { isKnownVersion, SCHEMA_VERSION } from './format-version.js';
import { isGoal, isHeader, isObject, isPosition, timeChecker } from './published-shape.js';
import type { Goal, LogPosition, PlanHeader } from '../schema.js';

/** A plan as it was published of an event log, and how much of the log that is. */
export interface PublishedPlan {
  readonly header: PlanHeader;
  readonly goals: ReadonlyMap<string, Goal>;
  readonly log: LogPosition;
}

/**
 * The plan in the JSON of a plan file whose checksum says that this program wrote it so. What was written fitted
 * the schema; should the checksum have been forged, what is checked here, in one pass at a fraction of the schema's
 * cost, is that every member has its type and every link leads somewhere, so that whatever walks through the plan or
 * shows it comes to an end and finds what it needs.
 * @returns null when it is not sure: then the schema and every invariant decide
 */
export function publishedPlan(value: unknown): PublishedPlan | null {
  if (!isObject(value)) return null;
  const { goals, log, crc: _checked, ...header } = value;
  if (!isObject(goals) || !isPosition(log) || !isHeader(header)) return null;
  if (!isKnownVersion(header.schema_version ?? SCHEMA_VERSION)) return null;
  const found = treeOf(goals, header);
  return found === null ? null : { header, goals: found, log };
}

type Members = Readonly<Record<string, unknown>>;

/**
 * The goals of a plan, parents before children; null unless every one hangs on the root once, parents and children
 * agree, and what a goal depends on is there.
 */
function treeOf(goals: Members, header: PlanHeader): ReadonlyMap<string, Goal> | null {
  const prefix = `${header.id}-`;
  const isTime = timeChecker();
  const goalAt = (id: string): Goal | null => {
    const goal = Object.hasOwn(goals, id) ? goals[id] : undefined;
    return isGoal(goal, isTime) && goal.id === id && id.startsWith(prefix) ? goal : null;
  };
  const root = goalAt(header.root_goal_id);
  if (root === null || root.parent_id !== null || root.depth !== 0) return null;
  const found = new Map([[root.id, root]]);
  // The map grows while it is walked.
  for (const parent of found.values()) {
    for (const id of parent.child_ids) {
      const child = found.has(id) ? null : goalAt(id);
      if (child === null || child.parent_id !== parent.id || child.depth !== parent.depth + 1) return null;
      found.set(id, child);
    }
  }
  if (found.size !== Object.keys(goals).length) return null;
  for (const { id, dependencies } of found.values())
    for (const needed of dependencies) if (needed === id || !found.has(needed)) return null;
  return found;
}
