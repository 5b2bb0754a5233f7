import { isKnownVersion, SCHEMA_VERSION } from './format-version.js';
import { isNestedTooDeep } from './nesting.js';
import type { Goal, LogPosition, PlanHeader } from './schema.js';

/** A plan as it was published of an event log, and how much of the log that is. */
export interface PublishedPlan {
  readonly header: PlanHeader;
  readonly goals: ReadonlyMap<string, Goal>;
  readonly log: LogPosition;
}

/**
 * The plan in the JSON of a plan file whose checksum says that this program wrote it so. What was written
 * fitted the schema; what is checked here, in one pass at a fraction of the schema's cost, is that whatever
 * walks through the plan comes to an end and finds what it needs, should the checksum have been forged.
 * @returns null when it is not sure: then the schema and every invariant decide
 */
export function publishedPlan(value: unknown): PublishedPlan | null {
  if (!isHeader(value)) return null;
  const { goals, log, crc: _checked, ...header } = value;
  const found = new Map(Object.entries(goals));
  const prefix = `${header.id}-`;
  if (!areGoals(found, prefix) || !isTree(header.root_goal_id, found)) return null;
  return { header, goals: found, log };
}

type Members = Readonly<Record<string, unknown>>;
type Header = PlanHeader & { readonly goals: Members; readonly log: LogPosition };

function isHeader(value: unknown): value is Header {
  if (!isObject(value)) return false;
  const { goals, log, ...header } = value;
  return (
    isObject(goals) &&
    isPosition(log) &&
    !isNestedTooDeep(header) &&
    hasMembers(header, 'string', ['id', 'root_goal_id', 'status', 'created_at', 'updated_at']) &&
    hasMembers(header, 'number', ['total_tokens', 'max_depth']) &&
    typeof (header.description ?? '') === 'string' &&
    isKnownVersion(header.schema_version ?? SCHEMA_VERSION) &&
    isObject(header.usage ?? {}) &&
    isObject(header.settings ?? {}) &&
    (header.warnings === undefined || (Array.isArray(header.warnings) && header.warnings.every(isWarning)))
  );
}

function isPosition(log: unknown): log is LogPosition {
  return (
    isObject(log) &&
    hasMembers(log, 'number', ['bytes']) &&
    hasMembers(log, 'string', ['event']) &&
    isObject(log.clocks) &&
    Object.values(log.clocks).every((clock) => typeof clock === 'number')
  );
}

function isWarning(warning: unknown): boolean {
  return isObject(warning) && hasMembers(warning, 'string', ['code', 'message']);
}

function areGoals(found: ReadonlyMap<string, unknown>, prefix: string): found is ReadonlyMap<string, Goal> {
  for (const [id, goal] of found) if (!isGoal(goal) || goal.id !== id || !id.startsWith(prefix)) return false;
  return true;
}

// Member by member, not in a loop over names: there may be many goals, and this is what costs.
function isGoal(goal: unknown): goal is Goal {
  return (
    isObject(goal) &&
    typeof goal.id === 'string' &&
    typeof goal.description === 'string' &&
    typeof goal.status === 'string' &&
    typeof goal.created_at === 'string' &&
    typeof goal.updated_at === 'string' &&
    typeof goal.depth === 'number' &&
    typeof goal.tokens_used === 'number' &&
    areStrings(goal.child_ids) &&
    areStrings(goal.dependencies) &&
    isShallow(goal)
  );
}

function isShallow(goal: Members): boolean {
  for (const name in goal) {
    const member = goal[name];
    if (typeof member !== 'object' || member === null || name === 'child_ids' || name === 'dependencies')
      continue;
    if (isNestedTooDeep(member)) return false;
  }
  return true;
}

/** Whether every goal hangs on the root once, and parents and children agree. */
function isTree(rootId: string, goals: ReadonlyMap<string, Goal>): boolean {
  const root = goals.get(rootId);
  if (root === undefined || root.parent_id !== null || root.depth !== 0) return false;
  const reached = [root];
  // The list grows while it is walked, and ends: each level is one deeper than its parent says it is.
  for (const parent of reached) {
    const { child_ids, id, depth } = parent;
    if (child_ids.length === 0) continue;
    if (new Set(child_ids).size < child_ids.length) return false;
    for (const childId of child_ids) {
      const child = goals.get(childId);
      if (child === undefined || child.parent_id !== id || child.depth !== depth + 1) return false;
      reached.push(child);
    }
  }
  return reached.length === goals.size;
}

function hasMembers(value: Members, type: 'string' | 'number', names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === type);
}

function areStrings(value: unknown): value is string[] {
  if (!Array.isArray(value)) return false;
  for (const item of value) if (typeof item !== 'string') return false;
  return true;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
