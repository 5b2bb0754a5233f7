import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { failGoal } from '../../../operations/work/fail-goal.js';
import { headOf } from './land.js';
import { forget, keep, note } from './record.js';
import type { Attempt } from './state.js';
import type { AttemptEnd, Work } from './work.js';

/** What is no longer so of an attempt that begins anew. */
export const NO_WORK = {
  commit: null,
  merged: null,
  marked: null,
  accepted: null,
  reason: null,
  files: [],
  leaked: [],
  summary: null,
  decisions: [],
};

/**
 * Fails a try. The next one begins with a clone of the base as it is then, and is told why; where tries are used up, or two
 * in a row made the same and failed alike, the goal fails.
 */
export async function failTry(work: Work, now: Attempt, problem: string): Promise<Attempt | AttemptEnd> {
  const reason = truncate(work.clean(problem), 2000);
  await keep(work, now);
  await note(work, now, 'failed', reason);
  const failures = [...now.failures, reason];
  const failed = { tree: await treeOf(work, now), reason: withoutNumbers(reason) };
  const isSame = now.failed?.tree === failed.tree && now.failed.reason === failed.reason;
  if (now.try < work.tries && !isSame) {
    const from = await headOf(work.git, now.branch);
    return { ...now, ...NO_WORK, from, failures, failed, try: now.try + 1, step: 'clone' };
  }
  await failGoal
    .run(
      { ...work.context, ...work.context.newChange(), emit: () => undefined },
      { goal: now.goal, token: now.token, by: now.by, reason: truncate(oneLine(reason), 1000) },
    )
    .catch(() => undefined);
  await forget(work, now);
  return { attempt: { ...now, failures }, outcome: 'failed', reason };
}

/** The files that a try left; null where it made no commit. */
async function treeOf({ git }: Work, { commit }: Attempt): Promise<string | null> {
  return commit === null ? null : (await git(['rev-parse', `${commit}^{tree}`])).trim();
}

/** A failure without what differs from run to run: times, ports, process numbers. */
const withoutNumbers = (reason: string): string => reason.replaceAll(/\d+/g, '0');
