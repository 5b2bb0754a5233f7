import { isNestedTooDeep } from '../../kernel/json/nesting.js';
import {
  ASSESS_MODES,
  EXPANDERS,
  EXPANSION_ORDERS,
  GOAL_STATUSES,
  PAUSE_CAUSES,
  PHASES,
  PLAN_STATUSES,
  PROMPT_VARIANTS,
} from '../choices.js';
import { GOAL_ID_PATTERN, PLAN_ID_PATTERN } from '../ids.js';
import type { Goal, LogPosition, PlanHeader } from '../schema.js';
import {
  areStrings,
  isAmount,
  isBetween,
  isCount,
  isMissingOr,
  isObject,
  isUsage,
  isWarning,
  isZonedTime,
} from './shape-checks.js';
import type { Members } from './shape-checks.js';

const KNOWN_STATUSES: ReadonlySet<unknown> = new Set(GOAL_STATUSES);

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
    KNOWN_STATUSES.has(status) &&
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
  const { detail, acceptance, size, decisions, tags, action_plans, usage, source, claim, failure } = goal;
  const { on_hold, priority, said_done, links, touches, checks } = goal;
  return (
    (detail === undefined || typeof detail === 'string') &&
    (acceptance === undefined || (areStrings(acceptance) && acceptance.every(isFilled))) &&
    (size === undefined || isFilled(size)) &&
    (decisions === undefined || (Array.isArray(decisions) && decisions.every(isDecision))) &&
    (tags === undefined || areStrings(tags)) &&
    (action_plans === undefined || areStrings(action_plans)) &&
    (usage === undefined || isUsage(usage)) &&
    (source === undefined || isSource(source)) &&
    (claim === undefined || isClaim(claim, isTime)) &&
    (on_hold === undefined || isHold(on_hold, isTime)) &&
    (priority === undefined || isBetween(priority, 0, 4)) &&
    (said_done === undefined || said_done === true) &&
    (links === undefined || (Array.isArray(links) && links.every(isLink))) &&
    (touches === undefined || (areStrings(touches) && touches.every(isFilled))) &&
    (checks === undefined || (Array.isArray(checks) && checks.every(isGoalCheck))) &&
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

function isHold(hold: unknown, isTime: (value: unknown) => boolean): boolean {
  return isObject(hold) && isFilled(hold.reason) && (hold.until === undefined || isTime(hold.until));
}

function isLink(link: unknown): boolean {
  return isObject(link) && isFilled(link.type) && isFilled(link.to);
}

function isGoalCheck(check: unknown): boolean {
  return isObject(check) && isFilled(check.tool) && isObject(check.args);
}

/** Whether the members of a plan file but its goals have the shape in which this program publishes them. */
export function isPublishedHeader(header: Members): header is PlanHeader {
  const isTime = timeChecker();
  return (
    typeof header.id === 'string' &&
    PLAN_ID_PATTERN.test(header.id) &&
    typeof header.root_goal_id === 'string' &&
    GOAL_ID_PATTERN.test(header.root_goal_id) &&
    isOneOf(PLAN_STATUSES, header.status) &&
    isTime(header.created_at) &&
    isTime(header.updated_at) &&
    isCount(header.total_tokens) &&
    isCount(header.max_depth) &&
    isMissingOr(header.description, isString) &&
    isMissingOr(header.schema_version, (version) => isString(version) && /^\d+\.\d+$/.test(version)) &&
    isMissingOr(header.usage, isUsage) &&
    isMissingOr(header.settings, isSettings) &&
    isMissingOr(header.paused_because, (because) => because === null || isOneOf(PAUSE_CAUSES, because)) &&
    isMissingOr(header.linked, (linked) => isLinked(linked, isTime)) &&
    isMissingOr(header.link_left, (left) => left === true) &&
    isMissingOr(header.warnings, (list) => Array.isArray(list) && list.every(isWarning)) &&
    isMissingOr(header.warnings_dropped, isCount) &&
    isMissingOr(header.run, (run) => isRun(run) && isTime(memberOf(run, 'started_at'))) &&
    isMissingOr(
      header.calls,
      (calls) => Array.isArray(calls) && calls.every((call) => isBegunCall(call, isTime)),
    ) &&
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
    const isTime = known.has(value) || isZonedTime(value);
    if (isTime) known.add((last = value));
    return isTime;
  };
}

function isSettings(value: unknown): boolean {
  return (
    isObject(value) &&
    isOneOf(EXPANDERS, value.expander) &&
    isOneOf(ASSESS_MODES, value.assess) &&
    isOneOf(EXPANSION_ORDERS, value.order) &&
    isMissingOr(value.prompt_variant, (variant) => isOneOf(PROMPT_VARIANTS, variant)) &&
    isBetween(value.max_depth, 0, 64) &&
    isBetween(value.max_children, 1, 1000) &&
    isBetween(value.max_goals, 1, 10_000_000) &&
    isBetween(value.concurrency, 1, 1000) &&
    isMissingOr(value.link, (link) => typeof link === 'boolean') &&
    isMissingOr(value.triage, (triage) => typeof triage === 'boolean') &&
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

function isLinked(value: unknown, isTime: (value: unknown) => boolean): boolean {
  return (
    isObject(value) &&
    isTime(value.at) &&
    isMissingOr(value.added, isCount) &&
    isMissingOr(value.replaced, isCount) &&
    isMissingOr(value.chain, isPairOfCounts) &&
    isMissingOr(value.can_start, isPairOfCounts) &&
    Array.isArray(value.missing) &&
    value.missing.every(
      (one) => isObject(one) && isFilled(one.what) && areStrings(one.used_by) && one.used_by.every(isGoalId),
    )
  );
}

function isPairOfCounts(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(isCount);
}

function isGoalId(id: string): boolean {
  return GOAL_ID_PATTERN.test(id);
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

function isDecision(value: unknown): boolean {
  return (
    isObject(value) &&
    isFilled(value.what) &&
    (value.choice === null || isFilled(value.choice)) &&
    isMissingOr(value.decided_by, (by) => isString(by) && GOAL_ID_PATTERN.test(by)) &&
    isMissingOr(value.confirmed, isBoolean)
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
    isOneOf(PHASES, value.phase) &&
    isMissingOr(value.code, isString)
  );
}

function isRun(value: unknown): boolean {
  return (
    hasStrings(value, ['id', 'host']) &&
    isCount(memberOf(value, 'pid')) &&
    isMissingOr(memberOf(value, 'process_start'), isString) &&
    isMissingOr(memberOf(value, 'workers'), isBoolean)
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

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function hasStrings(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => typeof value[name] === 'string');
}

function isOneOf(words: readonly string[], value: unknown): boolean {
  return typeof value === 'string' && words.includes(value);
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isBegunCall(call: unknown, isTime: (value: unknown) => boolean): boolean {
  return (
    isObject(call) &&
    isString(call.id) &&
    isTime(call.at) &&
    isUsage(call.usage) &&
    isMissingOr(call.ended, (ended) => typeof ended === 'boolean') &&
    isObject(call.caller) &&
    isString(call.caller.host) &&
    isCount(call.caller.pid) &&
    isMissingOr(call.caller.process_start, isString) &&
    isMissingOr(call.caller.worker, isString)
  );
}
