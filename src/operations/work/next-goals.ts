import { PlanError } from '../../kernel/errors.js';
import { liveClaim } from '../../plan/readiness/claims.js';
import { goalsToDo } from '../../plan/readiness/readiness.js';
import type { Plan } from '../../plan/plan.js';
import { goalOf } from '../../plan/plan.js';
import { rankGoals } from '../../plan/readiness/ready-goals.js';
import type { RankedGoal } from '../../plan/readiness/ready-goals.js';
import { workOrder } from '../../plan/readiness/work-order.js';
import type { PlanLog } from '../../storage/plan-store.js';
import { claimIfFree, newClaim } from './claim-goal.js';
import type { ClaimOptions, HeldClaim } from './claim-goal.js';
import type { Context } from '../shared/context.js';
import { findPlan } from '../shared/find-plan.js';
import { reasonForNone } from './nothing-ready.js';
import type { NothingReady } from './nothing-ready.js';
import { withNumber } from '../shared/numbered-goals.js';
import type { GoalWithNumber } from '../shared/numbered-goals.js';
import { refuseArchived } from '../planning/resume-plan.js';
import { timeNow, workerName } from './work-event.js';

const DEFAULT_LIMIT = 10;
/** Goals that one command tries to claim before it gives up; each time another was faster. */
const MOST_ATTEMPTS = 1000;

export interface NextOptions extends ClaimOptions {
  /** How many goals at most (default: 10). */
  readonly limit?: number | undefined;
  /** Take the first of them. */
  readonly claim?: boolean | undefined;
}

/** A goal that can start. */
export type ReadyGoal = GoalWithNumber & {
  /** The most unfinished leaves that must follow each other from this one on, itself included. */
  readonly chain: number;
  /** Unfinished leaves that cannot start before it is done. */
  readonly unblocks: number;
};

export interface NextReport {
  /** The best to begin with first; with `claim` the one that was taken. */
  readonly goals: readonly ReadyGoal[];
  /** How many can start, this one included. */
  readonly total: number;
  readonly claimed: HeldClaim | null;
  /** Why none can start; null when one can. */
  readonly reason: NothingReady | null;
}

/**
 * The goals that can start now and that nobody holds, those first that hold up the longest chain, then those
 * that most others wait for. With `claim` the first is taken; where another process is faster, the next.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE, INVALID_INPUT
 */
export async function nextGoals(context: Context, options: NextOptions): Promise<NextReport> {
  const limit = options.limit ?? DEFAULT_LIMIT;
  if (!Number.isInteger(limit) || limit < 1) {
    throw new PlanError('INVALID_INPUT', `--limit takes a whole number of at least 1, not ${limit}`);
  }
  const log = await findPlan(context.store(), options.plan);
  if (options.claim === true) return claimNext(context, log, options);
  return report(log.plan, readyGoals(log.plan, timeNow(context), limit), null, timeNow(context));
}

/** Tries the first, and whenever another was faster one of twice as many, so that many contenders soon part. */
async function claimNext(context: Context, log: PlanLog, options: NextOptions): Promise<NextReport> {
  refuseArchived(log);
  workerName(context, options);
  let choice = 1;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const ready = readyGoals(log.plan, timeNow(context), choice);
    const taken = ready.ranked[Math.floor(context.environment.random() * ready.ranked.length)];
    if (taken === undefined) return report(log.plan, ready, null, timeNow(context));
    const claim = newClaim(context, taken.goal.id, options);
    const { refused, after } = await claimIfFree(context, log, claim);
    if (refused === null)
      return report(after, { ranked: [taken], total: ready.total }, claim, timeNow(context));
    choice *= 2;
  }
  throw new PlanError('REFUSED', `others were faster ${MOST_ATTEMPTS} times`, { hint: 'Try again.' });
}

interface Ready {
  readonly ranked: readonly RankedGoal[];
  readonly total: number;
}

function readyGoals(plan: Plan, at: string, limit: number): Ready {
  const free = goalsToDo(plan).ready.filter((goal) => liveClaim(goal, at) === null);
  const ranked =
    free.length === 0 ? [] : rankGoals(workOrder(plan), new Set(free.map(({ id }) => id)), limit);
  return { ranked, total: free.length };
}

function report(plan: Plan, { ranked, total }: Ready, claimed: HeldClaim | null, at: string): NextReport {
  return {
    goals: ranked.map(({ goal, chain, unblocks }) => ({
      ...withNumber(plan, goalOf(plan, goal.id)),
      chain,
      unblocks,
    })),
    total,
    claimed,
    reason: ranked.length === 0 ? reasonForNone(plan, at) : null,
  };
}
