import type { GoalCheck } from '../../../plan/goal-work-schema.js';
import { checkOut, placesOf } from './clone.js';
import { markOf } from './goal-now.js';
import { runChecks } from './run-checks.js';
import { attemptFolder } from './state.js';
import type { Attempt } from './state.js';
import type { Work } from './work.js';

/** Runs the checks of a goal on a commit. Returns why it failed; null where it did not. */
export async function checkCommit(
  work: Work,
  now: Attempt,
  { commit, signal }: { readonly commit: string; readonly signal: AbortSignal },
): Promise<string | null> {
  const checks = checksOf(work, now);
  if (work.checkTools === null || checks.length === 0) return null;
  const places = placesOf(attemptFolder(work.root, now));
  await checkOut(places, places.check, commit, work.variables);
  const setup = work.setup === undefined ? [] : [{ tool: work.setup, args: {} }];
  return runChecks(work.checkTools, [...setup, ...checks], {
    root: places.check,
    mark: now.token,
    signal,
    clean: work.clean,
  });
}

/** Returns the checks of a goal: those of the project, then its own. */
export function checksOf(
  { projectChecks, log }: Work,
  { goal }: Pick<Attempt, 'goal'>,
): readonly GoalCheck[] {
  return [...projectChecks, ...(log.plan.goals.get(goal)?.checks ?? [])];
}

/** Returns a mark of what a commit has to pass: the checks of its goal, and all that the tools file says of what they run. */
export function markOfChecks(work: Work, now: Pick<Attempt, 'goal'>): string {
  return markOf([work.setup ?? null, checksOf(work, now), work.checkTools?.file.content ?? null]);
}

/** Returns why a person decides about what was made; null where nobody is asked, or just this commit was accepted. */
export function whyWaiting(
  { review }: Work,
  { accepted, commit, reason }: Attempt,
  checks: number,
): string | null {
  if (accepted !== null) {
    if (accepted === commit) return null;
    const other = `the agent has worked on it again since ${accepted.slice(0, 10)} was accepted`;
    return reason === null ? other : `${other}; ${reason}`;
  }
  if (reason !== null) return reason;
  if (review === 'each') return 'every goal is reviewed';
  return review === 'needed' && checks === 0 ? 'the goal has no check' : null;
}
