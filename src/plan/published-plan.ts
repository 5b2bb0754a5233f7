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
  const found = treeOf(goals, header);
  return found === null ? null : { header, goals: found, log };
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

/**
 * The goals of a plan, parents before children; null unless every one hangs on the root once, and parents and
 * children agree.
 */
function treeOf(goals: Members, header: PlanHeader): ReadonlyMap<string, Goal> | null {
  const prefix = `${header.id}-`;
  const goalAt = (id: string): Goal | null => {
    const goal = Object.hasOwn(goals, id) ? goals[id] : undefined;
    return isGoal(goal) && goal.id === id && id.startsWith(prefix) ? goal : null;
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
  return found.size === Object.keys(goals).length ? found : null;
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

function hasMembers(value: Members, type: 'string' | 'number', names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === type);
}

// With an index, since an iterator for each of so many short lists would cost as much as all the rest.
function areStrings(value: unknown): value is string[] {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index += 1) if (typeof value[index] !== 'string') return false;
  return true;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
