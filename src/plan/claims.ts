import type { Goal } from './schema.js';

/** Who holds a goal, until when. */
export type Claim = NonNullable<Goal['claim']>;

/** The claim of a goal that still holds at a moment, or null. A claim holds up to, not at, its expiry. */
export function liveClaim(goal: Goal, at: string): Claim | null {
  if (goal.claim === undefined) return null;
  return Date.parse(goal.claim.expires_at) > Date.parse(at) ? goal.claim : null;
}

/**
 * Why somebody may not act on a goal, or null. A token must be that of the last claim: one from before
 * another took the goal, gave it back or finished it proves nothing any more. Without a token a claim
 * must have expired or be of the same name.
 */
export function claimAgainst(
  goal: Goal,
  who: { readonly by: string; readonly at: string; readonly token?: string | undefined },
): string | null {
  const { claim } = goal;
  if (who.token !== undefined) {
    if (claim?.token === who.token) return null;
    return claim === undefined
      ? `the claim on goal ${goal.id} with that token is over`
      : `that token is no longer the claim on goal ${goal.id}; ${heldBy(claim)}`;
  }
  const live = liveClaim(goal, who.at);
  return live === null || live.by === who.by ? null : `goal ${goal.id} is claimed; ${heldBy(live)}`;
}

/** Who holds a claim, in words. */
export function heldBy(claim: Claim): string {
  return `${claim.by} holds it until ${claim.expires_at}`;
}
