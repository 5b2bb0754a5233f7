import { GOAL_ID_PATTERN, PLAN_ID_PATTERN } from '../ids.js';
import { isNestedTooDeep } from '../../kernel/json/nesting.js';
import type { Goal, LogPosition, PlanHeader } from '../schema.js';

type Members = Readonly<Record<string, unknown>>;

const GOAL_STATUSES: ReadonlySet<unknown> = new Set([
  'pending',
  'decomposing',
  'atomic',
  'complete',
  'failed',
]);
const PLAN_STATUSES: ReadonlySet<unknown> = new Set(['in_progress', 'complete', 'paused', 'failed']);
const PAUSES: ReadonlySet<unknown> = new Set(['user', 'budget', 'model', 'agent']);
const EXPANDERS: ReadonlySet<unknown> = new Set(['model', 'rules', 'replay', 'agent']);
const TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Members that every goal has. */
const LEAST_MEMBERS = 13;

/**
 * Whether a value has the shape in which this program publishes a goal. Member by member, and what most goals have
 * without a call for each: there may be many goals, and before V8 has compiled this a call costs more than what it does.
 * @param isTime see {@link timeChecker}
 */
export function isPublishedGoal(goal: unknown, isTime: (value: unknown) => boolean): goal is Goal {
  if (!isObject(goal)) return false;
  const { id, description, status, parent_id, child_ids, depth, dependencies, tokens_used } = goal;
  const { created_at, updated_at, reasoning, graph_node_id, digest } = goal;
  return (
    typeof id === 'string' &&
    GOAL_ID_PATTERN.test(id) &&
    typeof description === 'string' &&
    description !== '' &&
    GOAL_STATUSES.has(status) &&
    (typeof parent_id === 'string' || parent_id === null) &&
    isTime(created_at) &&
    isTime(updated_at) &&
    typeof depth === 'number' &&
    depth >= 0 &&
    Number.isSafeInteger(depth) &&
    typeof tokens_used === 'number' &&
    tokens_used >= 0 &&
    Number.isSafeInteger(tokens_used) &&
    (typeof reasoning === 'string' || reasoning === null) &&
    (typeof graph_node_id === 'string' || graph_node_id === null) &&
    areStrings(child_ids) &&
    areStrings(dependencies) &&
    ((digest === null && membersOf(goal) === LEAST_MEMBERS) || areMoreMembers(goal, isTime))
  );
}

/** Whether members that not every goal has have their shapes; those that are not known may be anything that is not too deep. */
function areMoreMembers(goal: Members, isTime: (value: unknown) => boolean): boolean {
  return (
    (goal.digest === null || isDigest(goal.digest)) && hasOptionalMembers(goal, isTime) && isShallow(goal)
  );
}

function membersOf(goal: Members): number {
  let count = 0;
  for (const _ in goal) count += 1;
  return count;
}

// Without `isMissingOr`, which would take a function for each member of each goal.
function hasOptionalMembers(goal: Members, isTime: (value: unknown) => boolean): boolean {
  const { detail, acceptance, size, tags, action_plans, usage, source, claim, failure } = goal;
  return (
    (detail === undefined || typeof detail === 'string') &&
    (acceptance === undefined || (areStrings(acceptance) && acceptance.every(isFilled))) &&
    (size === undefined || isFilled(size)) &&
    (tags === undefined || areStrings(tags)) &&
    (action_plans === undefined || areStrings(action_plans)) &&
    (usage === undefined || isUsage(usage)) &&
    (source === undefined || isSource(source)) &&
    (claim === undefined || isClaim(claim, isTime)) &&
    (failure === undefined || (isFailure(failure) && isTime(memberOf(failure, 'at'))))
  );
}

function isClaim(claim: unknown, isTime: (value: unknown) => boolean): boolean {
  return (
    hasStrings(claim, ['by', 'token']) &&
    isTime(memberOf(claim, 'since')) &&
    isTime(memberOf(claim, 'expires_at'))
  );
}

/** Whether the members of a plan file but its goals have the shape in which this program publishes them. */
export function isPublishedHeader(header: Members): header is PlanHeader {
  const isTime = timeChecker();
  return (
    typeof header.id === 'string' &&
    PLAN_ID_PATTERN.test(header.id) &&
    typeof header.root_goal_id === 'string' &&
    GOAL_ID_PATTERN.test(header.root_goal_id) &&
    PLAN_STATUSES.has(header.status) &&
    isTime(header.created_at) &&
    isTime(header.updated_at) &&
    isCount(header.total_tokens) &&
    isCount(header.max_depth) &&
    isMissingOr(header.description, isString) &&
    isMissingOr(header.schema_version, (version) => isString(version) && /^\d+\.\d+$/.test(version)) &&
    isMissingOr(header.usage, isUsage) &&
    isMissingOr(header.settings, isSettings) &&
    isMissingOr(header.paused_because, (because) => because === null || PAUSES.has(because)) &&
    isMissingOr(header.warnings, (list) => Array.isArray(list) && list.every(isWarning)) &&
    isMissingOr(header.warnings_dropped, isCount) &&
    isMissingOr(header.run, (run) => isRun(run) && isTime(memberOf(run, 'started_at'))) &&
    isMissingOr(header.accepted_damage, areStrings) &&
    isMissingOr(header.archived_at, (at) => at === null || isTime(at)) &&
    !isNestedTooDeep(header)
  );
}

/** Whether a value has the published shape of a log position: which part of the log a plan file reflects. */
export function isPublishedPosition(log: unknown): log is LogPosition {
  return (
    isObject(log) &&
    isCount(log.bytes) &&
    typeof log.event === 'string' &&
    isObject(log.clocks) &&
    Object.values(log.clocks).every(isCount) &&
    isMissingOr(log.unknown, areStrings)
  );
}

/**
 * Checks the shape of published times; one that was checked is not looked at again, and most goals share theirs
 * with others.
 */
export function timeChecker(): (value: unknown) => boolean {
  const known = new Set<unknown>();
  // Of two goals in a row most have the same; at first something that no member is.
  let last: unknown = known;
  return (value) => {
    if (value === last) return true;
    const isTime = known.has(value) || (typeof value === 'string' && TIME.test(value));
    if (isTime) known.add((last = value));
    return isTime;
  };
}

function isSettings(value: unknown): boolean {
  return (
    isObject(value) &&
    EXPANDERS.has(value.expander) &&
    (value.assess === 'inline' || value.assess === 'each') &&
    (value.order === 'breadth' || value.order === 'depth') &&
    isBetween(value.max_depth, 0, 64) &&
    isBetween(value.max_children, 1, 1000) &&
    isBetween(value.max_goals, 1, 10_000_000) &&
    isBetween(value.concurrency, 1, 1000) &&
    isMissingOr(value.model, isString) &&
    isMissingOr(value.base_url, isString) &&
    isMissingOr(value.fallback_models, areStrings) &&
    isMissingOr(value.given, areStrings) &&
    isMissingOr(value.budget, isBudget) &&
    isMissingOr(
      value.context,
      (files) => Array.isArray(files) && files.every((file) => hasStrings(file, ['file', 'text'])),
    ) &&
    isMissingOr(value.estimate, isEstimate)
  );
}

function isBudget(value: unknown): boolean {
  return (
    isObject(value) &&
    isMissingOr(value.calls, isCount) &&
    isMissingOr(value.tokens, isCount) &&
    isMissingOr(value.usd, isAmount) &&
    isMissingOr(value.seconds, isAmount)
  );
}

function isEstimate(value: unknown): boolean {
  return (
    isObject(value) &&
    isRange(value.calls) &&
    isRange(value.tokens) &&
    (value.cost_usd === null || isRange(value.cost_usd))
  );
}

function isRange(value: unknown): boolean {
  return isObject(value) && isAmount(value.low) && isAmount(value.high);
}

function isUsage(value: unknown): boolean {
  return (
    isObject(value) &&
    isCount(value.calls) &&
    isCount(value.input_tokens) &&
    isCount(value.output_tokens) &&
    (value.cost_usd === null || isAmount(value.cost_usd)) &&
    isMissingOr(value.seconds, isAmount)
  );
}

function isDigest(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.summary === 'string' &&
    areStrings(value.key_decisions) &&
    areStrings(value.artifacts) &&
    isMissingOr(value.compression_ratio, isAmount) &&
    isMissingOr(value.fidelity_score, (score) => isAmount(score) && score <= 1)
  );
}

function isSource(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.file === 'string' &&
    isBetween(value.start_line, 1, Number.MAX_SAFE_INTEGER) &&
    isBetween(value.end_line, 1, Number.MAX_SAFE_INTEGER)
  );
}

function isFailure(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.reason === 'string' &&
    (value.phase === 'planning' || value.phase === 'work') &&
    isMissingOr(value.code, isString)
  );
}

function isRun(value: unknown): boolean {
  return (
    hasStrings(value, ['id', 'host']) &&
    isCount(memberOf(value, 'pid')) &&
    isMissingOr(memberOf(value, 'process_start'), isString)
  );
}

function isWarning(value: unknown): boolean {
  if (!hasStrings(value, ['code', 'message'])) return false;
  const goal = memberOf(value, 'goal_id');
  return goal === null || (typeof goal === 'string' && GOAL_ID_PATTERN.test(goal));
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

// With an index, since an iterator for each of so many short lists would cost as much as all the rest.
function areStrings(value: unknown): value is string[] {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index += 1) if (typeof value[index] !== 'string') return false;
  return true;
}

function isMissingOr(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function hasStrings(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => typeof value[name] === 'string');
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isCount(value: unknown): boolean {
  return isBetween(value, 0, Number.MAX_SAFE_INTEGER);
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

/** Whether a value has the shape of an object of JSON. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
