import { pause } from '../../../host/pause.js';
import { claimIfFree } from '../../../operations/work/claim-goal.js';
import type { Attempt } from './state.js';
import type { Work } from './work.js';

/** How long a claim holds; each third of it, it is renewed. */
const LEASE_MS = 600_000;

/** Renews the claim of an attempt; false where it is no longer ours. */
export async function renewed({ log, context }: Work, now: Attempt): Promise<boolean> {
  const payload = {
    type: 'claim_renewed',
    goal: now.goal,
    token: now.token,
    expires_at: endOfLease({ context }),
  } as const;
  const [outcome] = await log.append([payload], now.by);
  return outcome?.refused === null;
}

/** Claims the goal of an attempt by its own token, where nobody else has. Returns whether it is ours. */
export async function claimed({ context, log }: Work, now: Attempt): Promise<boolean> {
  const { goal, token, by } = now;
  const held = { goal, token, by, expires_at: endOfLease({ context }) };
  return (await claimIfFree(context, log, held)).refused === null;
}

/** Renews the claim while an attempt runs, and says when it is somebody else's. */
export async function keepClaim(
  work: Work,
  now: Attempt,
  over: AbortSignal,
  lost: AbortController,
): Promise<void> {
  while (!over.aborted) {
    await pause(LEASE_MS / 3, over);
    if (over.aborted) return;
    const isOurs = await renewed(work, now).catch(() => true);
    if (!isOurs && !over.aborted) lost.abort();
  }
}

/** Returns when a claim that is made now ends, as ISO 8601. */
function endOfLease({ context }: Pick<Work, 'context'>): string {
  return new Date(context.environment.now() + LEASE_MS).toISOString();
}
