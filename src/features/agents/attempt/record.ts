import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { failGoal } from '../../../operations/work/fail-goal.js';
import { placesOf, removeTrees } from './clone.js';
import { headOf } from './land.js';
import { attemptFolder, saveAttempt } from './state.js';
import type { Attempt } from './state.js';
import type { AttemptEnd, Work } from './work.js';

/** Names what a try made that did not land, so that nothing of it is lost. @returns the name; null where it made nothing */
export async function keep(work: Pick<Work, 'git'>, now: Attempt): Promise<string | null> {
  if (now.commit === null) return null;
  const ref = `refs/frctl/kept/${now.goal}/${now.try}-${now.runs}`;
  await work.git(['update-ref', ref, now.commit]);
  return ref;
}

/** Removes the folder of an attempt, and the name of its commit. */
export async function forget(work: Pick<Work, 'root' | 'git'>, now: Attempt): Promise<void> {
  const folder = attemptFolder(work.root, now);
  // The repository may be gone.
  await work.git.tried(['update-ref', '-d', attemptRef(now)]).catch(() => null);
  await removeTrees(placesOf(folder));
  await rm(folder, { recursive: true, force: true });
  // The last attempt of a plan takes its folder along.
  await rmdir(join(work.root, now.plan)).catch(() => undefined);
}

/** Writes down in the plan what became of a try. */
export async function note(
  { log }: Pick<Work, 'log'>,
  now: Attempt,
  outcome: 'landed' | 'failed' | 'conflict' | 'waiting' | 'interrupted' | 'rejected',
  reason: string | null,
): Promise<void> {
  const { goal, token, agent: name, files, cost_usd, seconds, session } = now;
  const commit = outcome === 'landed' ? (now.merged?.commit ?? now.commit) : now.commit;
  const of = { goal, token, try: now.try, agent: name, outcome, commit, files: files.slice(0, 200) };
  await log.append(
    [{ type: 'work_attempted', ...of, ...(reason === null ? {} : { reason }), cost_usd, seconds, session }],
    now.by,
  );
  await log.publish('when_due');
}

/** Has a person decide about an attempt, which gives its claim back. */
export async function waitForPerson(work: Work, now: Attempt, reason: string): Promise<AttemptEnd> {
  const waiting: Attempt = { ...now, state: 'waiting', reason };
  await saveAttempt(work.root, waiting);
  await note(work, waiting, 'waiting', reason);
  await work.log.append([{ type: 'claim_released', goal: now.goal, token: now.token }], now.by);
  await work.log.publish('when_due');
  return { attempt: waiting, outcome: 'waiting', reason };
}

/** Whether it is written down in the plan that an attempt has landed, by a process that was killed since. */
export async function isNoted(
  { context, log }: Pick<Work, 'context' | 'log'>,
  now: Attempt,
): Promise<boolean> {
  const tries = await context.store().eventsOf(log.plan.header.id, 'work_attempted', now.goal);
  return tries.some(
    (event) => event.type === 'work_attempted' && event.token === now.token && event.outcome === 'landed',
  );
}

/** Returns the name that holds the commit of an attempt until it has landed or is given up. */
export function attemptRef({ token }: Attempt): string {
  return `refs/frctl/attempts/${token}`;
}

/** Why what was accepted does not land as it is. */
export const IN_CONFLICT = 'it conflicts with what landed meanwhile';

/** What is no longer so of an attempt that begins anew. */
export const NO_WORK = {
  commit: null,
  merged: null,
  marked: null,
  reason: null,
  files: [],
  leaked: [],
  summary: null,
  decisions: [],
};

/**
 * Fails a try. The next one begins with a clone of the base as it is then, and is told why; where tries are used up, or two
 * in a row made the same and failed alike, the goal fails. What a person had accepted waits for him again instead.
 */
export async function failTry(work: Work, now: Attempt, problem: string): Promise<Attempt | AttemptEnd> {
  const reason = truncate(work.clean(problem), 2000);
  const kept = await keep(work, now);
  await note(work, now, 'failed', reason);
  const failures = [...now.failures, reason];
  const { fallback } = now;
  if (fallback !== null) {
    await work.git(['update-ref', attemptRef(now), fallback.commit]);
    const back: Attempt = { ...now, ...NO_WORK, ...fallback, failures, fallback: null, step: 'land' };
    return waitForPerson(work, back, `${IN_CONFLICT}, and the agent did not resolve that: ${reason}`);
  }
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
  const where = kept === null ? '' : `; what was made is kept as ${kept}`;
  return { attempt: { ...now, failures }, outcome: 'failed', reason: reason + where };
}

/** The files that a try left; null where it made no commit. */
async function treeOf({ git }: Work, { commit }: Attempt): Promise<string | null> {
  return commit === null ? null : (await git(['rev-parse', `${commit}^{tree}`])).trim();
}

/** A failure without what differs from run to run: times, ports, process numbers. */
const withoutNumbers = (reason: string): string => reason.replaceAll(/\d+/g, '0');
