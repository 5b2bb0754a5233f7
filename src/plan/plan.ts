import type { Goals } from './goals.js';
import type { BegunCall, Goal, KeptSummary, PlanHeader, Usage, Warning } from './schema.js';

/** What is counted over all goals; kept up to date by `putGoal`, never stored. */
export interface Counts {
  readonly total: number;
  /** Waiting to be assessed or decomposed. */
  readonly pending: number;
  /** Leaves judged atomic, finished or not. */
  readonly atomic: number;
  /** Leaves finished. */
  readonly complete: number;
  readonly failed: number;
  /** With a claim, whether it holds or has ended. */
  readonly claimed: number;
}

/** A plan in memory: the plan file's header, its goals, and their counts. Never mutated. */
export interface Plan {
  readonly header: PlanHeader;
  readonly goals: Goals;
  readonly counts: Counts;
}

const NO_COUNTS: Counts = { total: 0, pending: 0, atomic: 0, complete: 0, failed: 0, claimed: 0 };
export const NO_USAGE: Usage = { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };

/** Counts the goals of a plan from the beginning. */
export function countGoals(goals: Iterable<Goal>): Counts {
  const counts = { ...NO_COUNTS };
  for (const goal of goals) count(counts, goal, 1);
  return counts;
}

/** The goal of a plan that has an id. It must exist: a broken link is a broken promise of `apply`. */
export function goalOf(plan: Plan, id: string): Goal {
  const goal = plan.goals.get(id);
  if (goal === undefined) throw new TypeError(`plan ${plan.header.id} has no goal ${id}`);
  return goal;
}

/** The root goal of a plan. */
export function rootOf(plan: Plan): Goal {
  return goalOf(plan, plan.header.root_goal_id);
}

/** The plan with `goal` added or replaced, counts included. */
export function putGoal(plan: Plan, goal: Goal): Plan {
  const counts = { ...plan.counts };
  const before = plan.goals.get(goal.id);
  if (before !== undefined) count(counts, before, -1);
  count(counts, goal, 1);
  return { header: plan.header, goals: plan.goals.set(goal.id, goal), counts };
}

/** The plan without a goal, counts included. Links to it are the caller's business. */
export function removeGoal(plan: Plan, id: string): Plan {
  const goal = plan.goals.get(id);
  if (goal === undefined) return plan;
  const counts = { ...plan.counts };
  count(counts, goal, -1);
  return { header: plan.header, goals: plan.goals.remove(id), counts };
}

/**
 * Whether a goal of a plan waits for the planner: not assessed yet, or judged composite and not decomposed yet.
 */
export function isWaiting(goal: Goal): boolean {
  return goal.status === 'pending' || (goal.status === 'decomposing' && goal.child_ids.length === 0);
}

/** Whether a warning is about how the plan is: not about a goal that is gone, done, divided or tried again since. */
function stillHolds({ header, goals }: Plan, { code, goal_id: id }: Warning): boolean {
  const goal = goals.get(id ?? header.root_goal_id);
  if (goal === undefined || goal.status === 'complete') return false;
  if (code === 'needs_review') return goal.status === 'failed';
  if (code === 'not_linked') return header.linked === undefined;
  // What is asked about again is told of again.
  return (code !== 'no_method' && code !== 'max_goals') || (goal.child_ids.length === 0 && !isWaiting(goal));
}

/** Returns the summary of a plan that stores keep, which says the same at any time. */
export function summarize(plan: Plan): KeptSummary {
  const { header, counts } = plan;
  const claimedUntil = lastClaimEnd(plan);
  return {
    id: header.id,
    description: header.description ?? plan.goals.get(header.root_goal_id)?.description ?? '',
    status: header.status,
    created_at: header.created_at,
    updated_at: header.updated_at,
    total_goals: counts.total,
    atomic_goals: counts.atomic,
    complete_goals: counts.complete,
    pending_goals: counts.pending,
    failed_goals: counts.failed,
    max_depth: deepestLevel(plan),
    total_tokens: header.total_tokens,
    usage: usageWithBegun(header),
    expander: header.settings?.expander ?? null,
    paused_because: header.paused_because ?? null,
    warnings: (header.warnings ?? []).filter((warning) => stillHolds(plan, warning)),
    ...(header.archived_at === undefined ? {} : { archived_at: header.archived_at }),
    ...(header.run === undefined ? {} : { being_planned: true as const }),
    ...(claimedUntil === undefined ? {} : { claimed_until: claimedUntil }),
  };
}

/** Returns when the last claim of a goal ends or has ended; undefined where there is none, which costs no look at the goals. */
export function lastClaimEnd({ counts, goals }: Plan): string | undefined {
  if (counts.claimed === 0) return undefined;
  let last: string | undefined;
  for (const { claim } of goals.values())
    if (claim !== undefined && (last === undefined || Date.parse(claim.expires_at) > Date.parse(last)))
      last = claim.expires_at;
  return last;
}

/** The deepest level that there is; what went, as by an undo, counts in the header alone. */
function deepestLevel({ header, goals }: Plan): number {
  let deepest = 0;
  for (const { depth } of goals.values()) {
    if (depth >= header.max_depth) return depth;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/**
 * Adds to what planning of a plan used, such as calls and tokens; a cost that is unknown in one is unknown in the
 * sum.
 */
export function addUsage(a: Usage, b: Usage): Usage {
  const seconds = (a.seconds ?? 0) + (b.seconds ?? 0);
  const estimated = (a.estimated_calls ?? 0) + (b.estimated_calls ?? 0);
  const begun = [...(a.begun ?? []), ...(b.begun ?? [])];
  return {
    calls: a.calls + b.calls,
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cost_usd: a.cost_usd === null || b.cost_usd === null ? null : a.cost_usd + b.cost_usd,
    ...(seconds > 0 ? { seconds: Math.round(seconds * 1000) / 1000 } : {}),
    ...(estimated > 0 ? { estimated_calls: estimated } : {}),
    ...(begun.length > 0 ? { begun } : {}),
  };
}

/** What calls that were begun may have used at most; those that have ended, what they used. */
export function usageOfBegun(calls: readonly BegunCall[]): Usage {
  return calls
    .map(({ usage, ended }) => (ended === true ? usage : { ...usage, estimated_calls: usage.calls }))
    .reduce(addUsage, NO_USAGE);
}

/** What a plan has used, with the calls of which nobody knows yet what they used, at the most. */
export function usageWithBegun({ usage, calls, total_tokens }: PlanHeader): Usage {
  const known = usage ?? usageOfUnknownCost(total_tokens);
  return calls === undefined ? known : addUsage(known, usageOfBegun(calls));
}

/** The tokens that a plan used, of prompts and replies together. */
export function tokensOfUsage(usage: Usage): number {
  return usage.input_tokens + usage.output_tokens;
}

// An older file has tokens without saying of how many calls, and none knows what they cost.
function usageOfUnknownCost(tokens: number): Usage {
  return { ...NO_USAGE, input_tokens: tokens, cost_usd: tokens === 0 ? 0 : null };
}

/** Counts a goal in or out. Without an object a goal, which costs more than the counting. */
function count(counts: { -readonly [Name in keyof Counts]: number }, goal: Goal, by: 1 | -1): void {
  const { status } = goal;
  counts.total += by;
  if (isWaiting(goal)) counts.pending += by;
  if (goal.claim !== undefined) counts.claimed += by;
  if (status === 'failed') counts.failed += by;
  if (goal.child_ids.length > 0) return;
  if (status === 'complete') counts.complete += by;
  if (status === 'atomic' || status === 'complete' || (status === 'failed' && goal.failure?.phase === 'work'))
    counts.atomic += by;
}
