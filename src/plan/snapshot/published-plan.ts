import { isKnownVersion, SCHEMA_VERSION } from './format-version.js';
import { isPublishedGoal, isPublishedHeader, isPublishedPosition, timeChecker } from './published-shape.js';
import { isObject } from './shape-checks.js';
import type { Members } from './shape-checks.js';
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
  if (!isObject(goals) || !isPublishedPosition(log) || !isPublishedHeader(header)) return null;
  if (!isKnownVersion(header.schema_version ?? SCHEMA_VERSION)) return null;
  const found = treeOf(goals, header);
  return found === null ? null : { header, goals: found, log };
}

/** A goal with children above the one that is looked at, with the index of its next child. */
interface Above {
  readonly goal: Goal;
  next: number;
}

/**
 * The goals of a plan, in the order of the file; null unless that is depth-first, as this program writes them: so each
 * goal is the next child of one before it, every one hangs on the root once, and parents and children agree. What a
 * goal depends on must be there. One pass, in which no goal is looked up.
 */
function treeOf(goals: Members, header: PlanHeader): ReadonlyMap<string, Goal> | null {
  const prefix = `${header.id}-`;
  const isTime = timeChecker();
  const found = new Map<string, Goal>();
  const above: Above[] = [];
  for (const id in goals) {
    const goal = goals[id];
    if (!isPublishedGoal(goal, isTime) || goal.id !== id || !id.startsWith(prefix)) return null;
    if (found.size === 0 ? !isRoot(goal, header) : !isNextChild(goal, above)) return null;
    found.set(id, goal);
    if (goal.child_ids.length > 0) above.push({ goal, next: 0 });
  }
  if (found.size === 0 || !above.every(isDone)) return null;
  for (const { id, dependencies } of found.values())
    for (let index = 0; index < dependencies.length; index += 1)
      if (dependencies[index] === id || !found.has(dependencies[index] ?? '')) return null;
  return found;
}

function isRoot(goal: Goal, { root_goal_id }: PlanHeader): boolean {
  return goal.id === root_goal_id && goal.parent_id === null && goal.depth === 0;
}

/** Whether a goal is the next child of the nearest goal above that has one left; those below it are passed. */
function isNextChild(goal: Goal, above: Above[]): boolean {
  let parent = above.at(-1);
  while (parent !== undefined && isDone(parent)) {
    above.pop();
    parent = above.at(-1);
  }
  if (parent === undefined || parent.goal.child_ids[parent.next] !== goal.id) return false;
  parent.next += 1;
  return goal.parent_id === parent.goal.id && goal.depth === parent.goal.depth + 1;
}

const isDone = ({ goal, next }: Above) => next === goal.child_ids.length;
