import { toAscii } from '../formats/ascii.js';
import type { TreeStyle } from '../formats/ascii.js';
import { goalsToDo } from '../plan/dependencies.js';
import { summarize } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import type { Goal, Summary } from '../plan/schema.js';
import { depthFirst, numberOf } from '../plan/tree.js';
import type { Context } from './context.js';
import { findGoalByName, findPlan } from './find-plan.js';

/** A goal of the file with its number in the tree added; the root's is empty. */
export type GoalWithNumber = Goal & { readonly number: string };

export interface StatusReport {
  readonly plan: Summary;
  /** Ids of the goals that can start now. */
  readonly ready: readonly string[];
  readonly blocked: readonly { readonly goal: string; readonly waiting_for: readonly string[] }[];
  /** Every goal depth-first, when asked for. */
  readonly goals?: readonly GoalWithNumber[];
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
}

/** Progress, what is ready and what waits for what. @throws PlanError PLAN_NOT_FOUND */
export async function planStatus(
  context: Context,
  name: string | undefined,
  verbose: boolean,
): Promise<StatusReport> {
  const { plan } = await findPlan(context.store(), name);
  return statusOf(plan, verbose);
}

/** The status report of a plan in memory. */
export function statusOf(plan: Plan, verbose: boolean): StatusReport {
  const { ready, blocked } = goalsToDo(plan);
  return {
    plan: summarize(plan),
    ready: ready.map(({ id }) => id),
    blocked: blocked.map(({ goal, waitingFor }) => ({ goal: goal.id, waiting_for: waitingFor })),
    ...(verbose ? { goals: numberedGoals(plan) } : {}),
  };
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
      return found === undefined ? [] : [withNumber(found, numberOf(plan, found))];
    });
  const dependents = [...plan.goals.values()].filter(({ dependencies }) => dependencies.includes(goal.id));
  return {
    plan: summarize(plan),
    goal: withNumber(goal, numberOf(plan, goal)),
    parent: numbered(goal.parent_id === null ? [] : [goal.parent_id])[0] ?? null,
    children: numbered(goal.child_ids),
    dependencies: numbered(goal.dependencies),
    dependents: numbered(dependents.map(({ id }) => id)),
  };
}

function numberedGoals(plan: Plan): readonly GoalWithNumber[] {
  return Array.from(depthFirst(plan), ({ goal, number }) => withNumber(goal, number));
}

function withNumber(goal: Goal, number: string): GoalWithNumber {
  return { ...goal, number };
}
