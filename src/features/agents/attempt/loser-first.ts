import { pause } from '../../../host/pause.js';
import { isOwned, readAttempts } from './state.js';
import type { Attempt } from './state.js';
import type { Work } from './work.js';

const LOOK_EACH_MS = 500;

/**
 * Whether another attempt comes first: it lost a conflict earlier, in files that this one changed, and is still at work on
 * the same base. Of two losers the earlier comes first, so that none waits for the other for ever.
 */
export async function isLoserFirst({ root, context }: Work, now: Attempt): Promise<boolean> {
  const files = new Set(now.files);
  const at = context.environment.now();
  for (const other of await readAttempts(root, now.plan)) {
    const { first } = other;
    if (first === null || other.goal === now.goal || other.state !== 'running' || first.until <= at) continue;
    if (other.top !== now.top || other.branch !== now.branch || !comesBefore(other, now)) continue;
    if (first.files.some((file) => files.has(file)) && (await isOwned(other))) return true;
  }
  return false;
}

function comesBefore(one: Attempt, other: Attempt): boolean {
  if (one.first === null || other.first === null) return one.first !== null;
  const difference = one.first.since - other.first.since;
  return difference < 0 || (difference === 0 && one.token < other.token);
}

/** Waits until no other attempt comes first, or until this one is stopped. */
export async function waitForLosers(work: Work, now: Attempt, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await isLoserFirst(work, now))) await pause(LOOK_EACH_MS, signal);
}
