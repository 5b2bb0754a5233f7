import { liveClaim } from '../../plan/readiness/claims.js';
import { NO_USAGE, summarize } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Estimate, Goal, Summary, Usage } from '../../plan/schema.js';
import { goalsToDo } from '../../plan/readiness/readiness.js';
import { depthFirst } from '../../plan/tree.js';
import type { Context } from '../shared/context.js';
import { openDamage } from '../shared/damage.js';
import { readPlan } from '../shared/find-plan.js';
import { numberedGoals, withNumber } from '../shared/numbered-goals.js';
import type { GoalWithNumber } from '../shared/numbered-goals.js';

export interface StatusOptions {
  /** With every goal. */
  readonly verbose?: boolean | undefined;
  /** With so many of the goals that can start now, and of those that are claimed. */
  readonly next?: number | undefined;
}

export interface StatusReport {
  readonly plan: Summary;
  /** Ids of the goals that can start now: they wait for nothing, and nobody holds them. */
  readonly ready: readonly string[];
  /** The goals that somebody holds, depth-first. */
  readonly claimed: readonly ClaimedGoal[];
  readonly blocked: readonly { readonly goal: string; readonly waiting_for: readonly string[] }[];
  /** What planning was expected to take altogether, and what it has; with every goal, where a model plans. */
  readonly estimate?: Estimate & { readonly spent: Usage };
  /** What is damaged in the log and nobody has accepted; missing when nothing is. */
  readonly damage?: readonly { readonly offset: number; readonly length: number; readonly reason: string }[];
  /** Every goal depth-first, when asked for. */
  readonly goals?: readonly GoalWithNumber[];
  /** The first of the goals that can start now, when asked for. */
  readonly next?: readonly GoalWithNumber[];
  /** The first of the goals that somebody holds, when asked for. */
  readonly held?: readonly GoalWithNumber[];
}

/** Who holds a goal, until when. */
export interface ClaimedGoal {
  readonly goal: string;
  readonly by: string;
  readonly expires_at: string;
}

/** Progress, what is ready and what waits for what. @throws PlanError PLAN_NOT_FOUND */
export async function planStatus(
  context: Context,
  name: string | undefined,
  options: StatusOptions = {},
): Promise<StatusReport> {
  const at = new Date(context.environment.now()).toISOString();
  const store = context.store();
  const plan = await readPlan(store, name);
  const damage = openDamage(await store.findDamage(plan.header.id, 'checksums'), plan);
  return {
    ...statusOf(plan, at, options),
    ...(damage.length === 0
      ? {}
      : { damage: damage.map(({ offset, length, reason }) => ({ offset, length, reason })) }),
  };
}

function statusOf(plan: Plan, at: string, { verbose, next }: StatusOptions): StatusReport {
  const { ready: startable, blocked } = goalsToDo(plan);
  const ready = startable.filter((goal) => liveClaim(goal, at) === null);
  const held = heldGoals(plan, at);
  const first = (goals: readonly Goal[]) => goals.slice(0, next).map((goal) => withNumber(plan, goal));
  return {
    plan: summarize(plan),
    ready: ready.map(({ id }) => id),
    claimed: held.flatMap(({ id, claim }) =>
      claim === undefined ? [] : [{ goal: id, by: claim.by, expires_at: claim.expires_at }],
    ),
    blocked: blocked.map(({ goal, waitingFor }) => ({ goal: goal.id, waiting_for: waitingFor })),
    ...(verbose === true ? { ...estimateOf(plan), goals: numberedGoals(plan) } : {}),
    ...(next === undefined ? {} : { next: first(ready), held: first(held) }),
  };
}

function estimateOf({ header }: Plan): Pick<StatusReport, 'estimate'> {
  const estimate = header.settings?.estimate;
  return estimate === undefined ? {} : { estimate: { ...estimate, spent: header.usage ?? NO_USAGE } };
}

/** The goals whose claim holds at a moment, depth-first. */
function heldGoals(plan: Plan, at: string): readonly Goal[] {
  // Most plans have none; walking the tree is dearer than looking through it.
  let any = false;
  for (const { claim } of plan.goals.values()) any ||= claim !== undefined;
  if (!any) return [];
  return Array.from(depthFirst(plan), ({ goal }) => goal).filter((goal) => liveClaim(goal, at) !== null);
}
