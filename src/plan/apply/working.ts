import { claimAgainst, heldBy, liveClaim } from '../claims.js';
import { waitingFor } from '../dependencies.js';
import type { EventStamp, PayloadOf } from '../events.js';
import { isWaiting, putGoal } from '../plan.js';
import type { Plan } from '../plan.js';
import type { Goal } from '../schema.js';
import { completeAncestors, reopenAncestors } from './ancestors.js';
import { accept } from './applied.js';
import type { Applied, Refuse } from './applied.js';
import { settle } from './settle.js';
import { spend, withUsage } from './spend.js';

/** Takes a goal that can start now, unless somebody else holds it. */
export function claimGoal(
  plan: Plan,
  event: PayloadOf<'goal_claimed'> & EventStamp,
  refuse: Refuse,
): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  if (goal.status !== 'atomic')
    return refuse(`goal ${goal.id} is ${goal.status}; only an atomic goal can be claimed`);
  const live = liveClaim(goal, event.at);
  if (live !== null) return refuse(`goal ${goal.id} is claimed; ${heldBy(live)}`);
  const waiting = waitingFor(plan, goal);
  if (waiting.length > 0) return refuse(`goal ${goal.id} waits for ${waiting.join(', ')}`);
  const { token, expires_at } = event;
  const claim = { by: event.by, since: event.at, expires_at, token };
  return accept(settle(putGoal(plan, { ...goal, claim, updated_at: event.at }), event));
}

/** Puts off the end of a claim; also of one that has expired, when nobody took the goal meanwhile. */
export function renewClaim(
  plan: Plan,
  event: PayloadOf<'claim_renewed'> & EventStamp,
  refuse: Refuse,
): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  const against = claimAgainst(goal, event);
  if (against !== null || goal.claim === undefined)
    return refuse(against ?? `goal ${goal.id} is not claimed`);
  const claim = { ...goal.claim, expires_at: event.expires_at };
  return accept(settle(putGoal(plan, { ...goal, claim, updated_at: event.at }), event));
}

/** Gives a goal back. */
export function releaseClaim(
  plan: Plan,
  event: PayloadOf<'claim_released'> & EventStamp,
  refuse: Refuse,
): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  if (goal.claim === undefined) return refuse(`goal ${goal.id} is not claimed`);
  const against = event.forced === true ? null : claimAgainst(goal, event);
  if (against !== null) return refuse(against);
  return accept(settle(putGoal(plan, { ...withoutClaim(goal), updated_at: event.at }), event));
}

/** A goal could not be expanded, or could not be done. */
export function failGoal(plan: Plan, event: PayloadOf<'goal_failed'> & EventStamp, refuse: Refuse): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  const fits = event.phase === 'planning' ? isWaiting(goal) : goal.status === 'atomic';
  if (!fits) return refuse(`goal ${goal.id} is ${goal.status} already`);
  const against = event.phase === 'work' ? claimAgainst(goal, event) : null;
  if (against !== null) return refuse(against);
  const failure = {
    reason: event.reason,
    ...(event.code === undefined ? {} : { code: event.code }),
    phase: event.phase,
    at: event.at,
  };
  const failed: Goal = { ...withoutClaim(goal), status: 'failed', failure, updated_at: event.at };
  return accept(settle(spend(putGoal(plan, withUsage(failed, event.usage)), event), event));
}

/**
 * An atomic goal is done. What it waits for is not asked here: finished work stands, also where another copy
 * of the plan reopened a dependency meanwhile.
 */
export function completeGoal(
  plan: Plan,
  event: PayloadOf<'goal_completed'> & EventStamp,
  refuse: Refuse,
): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  if (goal.status !== 'atomic')
    return refuse(`goal ${goal.id} is ${goal.status}; only an atomic goal can be completed`);
  const against = claimAgainst(goal, event);
  if (against !== null) return refuse(against);
  const done: Goal = {
    ...withoutClaim(goal),
    status: 'complete',
    digest: event.digest ?? goal.digest,
    updated_at: event.at,
  };
  return accept(settle(completeAncestors(putGoal(plan, done), goal.id, event.at), event));
}

/** A finished goal gets its digest, or a better one. */
export function digestGoal(
  plan: Plan,
  event: PayloadOf<'goal_digested'> & EventStamp,
  refuse: Refuse,
): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  if (goal.status !== 'complete')
    return refuse(`goal ${goal.id} is ${goal.status}; only finished work has a digest`);
  const digested = withUsage({ ...goal, digest: event.digest, updated_at: event.at }, event.usage);
  return accept(settle(spend(putGoal(plan, digested), event), event));
}

/** A finished or failed goal is to be done, or to be planned, again. */
export function reopenGoal(
  plan: Plan,
  event: PayloadOf<'goal_reopened'> & EventStamp,
  refuse: Refuse,
): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  if (goal.child_ids.length > 0) return refuse(`goal ${goal.id} has sub-goals; reopen one of those`);
  if (goal.status !== 'complete' && goal.status !== 'failed')
    return refuse(`goal ${goal.id} is ${goal.status}, not finished`);
  const { failure, ...rest } = goal;
  const toPlan = goal.status === 'failed' && failure?.phase !== 'work';
  // What went wrong when it was expanded is told when it is asked about again.
  const reopened: Goal = toPlan
    ? { ...goal, status: 'pending' }
    : { ...rest, status: 'atomic', digest: null };
  const next = putGoal(plan, { ...reopened, updated_at: event.at });
  return accept(settle(reopenAncestors(next, goal, event.at), event));
}

function withoutClaim(goal: Goal): Goal {
  const { claim: _over, ...rest } = goal;
  return rest;
}
