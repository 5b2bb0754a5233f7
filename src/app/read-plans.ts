import { toAscii } from '../formats/ascii.js';
import type { TreeStyle } from '../formats/ascii.js';
import { liveClaim } from '../plan/claims.js';
import { goalsToDo } from '../plan/dependencies.js';
import { summarize } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import type { Summary } from '../plan/schema.js';
import { depthFirst } from '../plan/tree.js';
import type { Context } from './context.js';
import { findGoalByName, findPlan } from './find-plan.js';
import { numberedGoals, withNumber } from './numbered-goals.js';
import type { GoalWithNumber } from './numbered-goals.js';
import { refusedResults } from './refused-results.js';
import type { RefusedResult } from './refused-results.js';
import { timeNow } from './work-event.js';

export interface StatusReport {
  readonly plan: Summary;
  /** Ids of the goals that can start now: they wait for nothing, and nobody holds them. */
  readonly ready: readonly string[];
  /** The goals that somebody holds, depth-first. */
  readonly claimed: readonly ClaimedGoal[];
  readonly blocked: readonly { readonly goal: string; readonly waiting_for: readonly string[] }[];
  /** Every goal depth-first, when asked for. */
  readonly goals?: readonly GoalWithNumber[];
}

/** Who holds a goal, until when. */
export interface ClaimedGoal {
  readonly goal: string;
  readonly by: string;
  readonly expires_at: string;
}

export interface TreeReport {
  readonly plan: Summary;
  readonly goals: readonly GoalWithNumber[];
  /** The tree drawn for a terminal. */
  readonly text: string;
}

export interface GoalReport {
  readonly plan: Summary;
  readonly goal: GoalWithNumber;
  readonly parent: GoalWithNumber | null;
  readonly children: readonly GoalWithNumber[];
  readonly dependencies: readonly GoalWithNumber[];
  readonly dependents: readonly GoalWithNumber[];
  /** What was submitted for it and not accepted, oldest first. */
  readonly refused_results: readonly RefusedResult[];
}

/** Progress, what is ready and what waits for what. @throws PlanError PLAN_NOT_FOUND */
export async function planStatus(
  context: Context,
  name: string | undefined,
  verbose: boolean,
): Promise<StatusReport> {
  const { plan } = await findPlan(context.store(), name);
  return statusOf(plan, timeNow(context), verbose);
}

function statusOf(plan: Plan, at: string, verbose: boolean): StatusReport {
  const { ready, blocked } = goalsToDo(plan);
  return {
    plan: summarize(plan),
    ready: ready.filter((goal) => liveClaim(goal, at) === null).map(({ id }) => id),
    claimed: claimedGoals(plan, at),
    blocked: blocked.map(({ goal, waitingFor }) => ({ goal: goal.id, waiting_for: waitingFor })),
    ...(verbose ? { goals: numberedGoals(plan) } : {}),
  };
}

/** The goals whose claim holds at a moment, depth-first. */
function claimedGoals(plan: Plan, at: string): readonly ClaimedGoal[] {
  // Most plans have none; walking the tree is dearer than looking through it.
  if (!plan.goals.some(({ claim }) => claim !== undefined)) return [];
  return [...depthFirst(plan)].flatMap(({ goal }) => {
    const claim = liveClaim(goal, at);
    return claim === null ? [] : [{ goal: goal.id, by: claim.by, expires_at: claim.expires_at }];
  });
}

/** A plan and every goal of it, depth-first. @throws PlanError PLAN_NOT_FOUND */
export async function planTree(
  context: Context,
  name: string | undefined,
  style?: TreeStyle,
): Promise<TreeReport> {
  const { plan } = await findPlan(context.store(), name);
  return { plan: summarize(plan), goals: numberedGoals(plan), text: toAscii(plan, style) };
}

/** One goal with what surrounds it. @throws PlanError GOAL_NOT_FOUND, PLAN_NOT_FOUND */
export async function showGoal(
  context: Context,
  name: string,
  planName: string | undefined,
): Promise<GoalReport> {
  const { log, goal } = await findGoalByName(context.store(), name, planName);
  const { plan } = log;
  const numbered = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const found = plan.goals.get(id);
      return found === undefined ? [] : [withNumber(plan, found)];
    });
  const dependents = [...plan.goals.values()].filter(({ dependencies }) => dependencies.includes(goal.id));
  return {
    plan: summarize(plan),
    goal: withNumber(plan, goal),
    parent: numbered(goal.parent_id === null ? [] : [goal.parent_id])[0] ?? null,
    children: numbered(goal.child_ids),
    dependencies: numbered(goal.dependencies),
    dependents: numbered(dependents.map(({ id }) => id)),
    refused_results: await refusedResults(log, goal.id),
  };
}
