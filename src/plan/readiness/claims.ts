import { claimedBy, holderOf } from '../refusals.js';
import type { Refusal } from '../refusals.js';
import type { Claim, Goal } from '../schema.js';

/** The claim of a goal that still holds at a moment, or null. A claim holds up to, not at, its expiry. */
export function liveClaim(goal: Goal, at: string): Claim | null {
  if (goal.claim === undefined) return null;
  return Date.parse(goal.claim.expires_at) > Date.parse(at) ? goal.claim : null;
}

/**
 * Returns why somebody may not act on a goal, or null. A token must be that of the last claim: one from before
 * another took the goal, gave it back or finished it proves nothing any more. Without a token a claim
 * must have expired or be of the same name.
 */
export function refusalByClaim(
  goal: Goal,
  who: { readonly by: string; readonly at: string; readonly token?: string | undefined },
): Refusal | null {
  const { claim } = goal;
  if (who.token !== undefined) {
    if (claim?.token === who.token) return null;
    const holder = claim === undefined ? null : holderOf(claim);
    return { code: 'claim_over', goal: goal.id, holder };
  }
  const live = liveClaim(goal, who.at);
  return live === null || live.by === who.by ? null : claimedBy(goal.id, live);
}

/** The goal without its claim. */
export function withoutClaim(goal: Goal): Goal {
  const { claim: _over, ...rest } = goal;
  return rest;
}
