import { PlanError } from '../../kernel/errors.js';
import { waitingFor } from '../../plan/readiness/dependencies.js';
import type { EventPayload } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import type { PlanLog } from '../../storage/plan-store.js';
import type { Context } from '../shared/context.js';
import type { FoundGoal } from '../shared/find-plan.js';
import { endOfLease } from './lease.js';
import type { GoalWithNumber } from '../shared/numbered-goals.js';
import {
  givenToken,
  goalAfter,
  goalToWorkOn,
  refusedWork,
  timeNow,
  workerName,
  writeUnlessRefused,
} from './work-event.js';
import type { WorkerOptions, WrittenChange } from './work-event.js';

export interface ClaimOptions extends WorkerOptions {
  /** How long the claim holds: `30s`, `30m`, `2h`, `1d` (default: 30m). */
  readonly for?: string | undefined;
}

export interface RenewOptions extends Pick<ClaimOptions, 'plan' | 'for'> {
  /** What `claim` gave. */
  readonly token: string;
}

export interface ReleaseOptions extends WorkerOptions {
  readonly token?: string | undefined;
  /** Take the goal from whoever holds it. */
  readonly force?: boolean | undefined;
}

/** A claim as its holder sees it. */
export interface HeldClaim {
  readonly goal: string;
  /** Proves the claim; whoever has it can renew, release and complete. */
  readonly token: string;
  readonly by: string;
  readonly expires_at: string;
}

export interface ClaimReport {
  readonly goal: GoalWithNumber;
  readonly claimed: HeldClaim;
}

export interface ReleaseReport {
  readonly goal: GoalWithNumber;
  /** Whose claim it was. */
  readonly released: { readonly goal: string; readonly by: string };
}

/**
 * Takes a goal that can start, for a time.
 * @throws PlanError REFUSED with who holds it until when, or what it waits for; WRONG_STATE; INVALID_INPUT
 */
export async function claimGoal(context: Context, name: string, options: ClaimOptions): Promise<ClaimReport> {
  const { log, goal } = await goalToWorkOn(context, name, options);
  const claim = newClaim(context, goal.id, options);
  const { refused, before, after } = await claimIfFree(context, log, claim);
  if (refused !== null) {
    throw refusedWork(before, goal.id, timeNow(context), refused, whatItWaitsFor(before, goal.id));
  }
  return { goal: goalAfter(log.plan, after, goal.id), claimed: claim };
}

function whatItWaitsFor(plan: Plan, id: string) {
  const goal = plan.goals.get(id);
  const waiting = goal?.status === 'atomic' ? waitingFor(plan, goal) : [];
  if (waiting.length === 0) return {};
  return { hint: '`plan next` finds a goal that can start.', details: { waiting_for: waiting } };
}

/** A claim with a token of its own that begins now. @throws PlanError INVALID_INPUT */
export function newClaim(
  { environment, ...context }: Context,
  goal: string,
  options: ClaimOptions,
): HeldClaim {
  return {
    goal,
    token: environment.ids.eventId(),
    by: workerName({ environment, ...context }, options),
    expires_at: endOfLease(environment.now(), options.for),
  };
}

/** Writes a claim, unless it can be seen beforehand that it will be refused. */
export async function claimIfFree(
  context: Context,
  log: PlanLog,
  { goal, token, by, expires_at }: HeldClaim,
): Promise<WrittenChange> {
  return writeUnlessRefused(context, log, { type: 'goal_claimed', goal, token, expires_at }, by);
}

/**
 * Puts off the end of a claim; also of one that has expired, when nobody took the goal meanwhile.
 * @throws PlanError REFUSED when the token is not that of the goal's claim
 */
export async function renewClaim(
  context: Context,
  name: string,
  options: RenewOptions,
): Promise<ClaimReport> {
  const token = givenToken(options.token) ?? '';
  const found = await goalToWorkOn(context, name, options);
  const expires_at = endOfLease(context.environment.now(), options.for);
  // Whoever has the token acts for its holder, from wherever.
  const by = found.goal.claim?.token === token ? found.goal.claim.by : workerName(context, {});
  const { id } = found.goal;
  const payload = { type: 'claim_renewed', goal: id, token, expires_at } as const;
  const after = await change(context, found, payload, by);
  return { goal: goalAfter(found.log.plan, after, id), claimed: { goal: id, token, by, expires_at } };
}

/**
 * Gives a goal back: with the token of its claim, or without one when the claim has expired or is of the
 * same name.
 * @throws PlanError REFUSED, WRONG_STATE when the goal is not claimed
 */
export async function releaseClaim(
  context: Context,
  name: string,
  options: ReleaseOptions,
): Promise<ReleaseReport> {
  const token = givenToken(options.token);
  const { force } = options;
  const found = await goalToWorkOn(context, name, options);
  const { claim, id } = found.goal;
  if (claim === undefined) {
    throw new PlanError('WRONG_STATE', `goal ${id} is not claimed`, {
      hint: '`plan status` shows the claims.',
      details: { plan: found.log.plan.header.id, goal: id, status: found.goal.status },
    });
  }
  const payload = {
    type: 'claim_released' as const,
    goal: id,
    ...(token === undefined ? {} : { token }),
    ...(force === true ? { forced: true } : {}),
  };
  const after = await change(context, found, payload, workerName(context, options));
  return { goal: goalAfter(found.log.plan, after, id), released: { goal: id, by: claim.by } };
}

/** Makes a change. @returns the plan just after it */
async function change(
  context: Context,
  { log, goal }: FoundGoal,
  payload: EventPayload,
  by: string,
): Promise<Plan> {
  const { refused, before, after } = await writeUnlessRefused(context, log, payload, by);
  if (refused !== null) throw refusedWork(before, goal.id, timeNow(context), refused);
  return after;
}
