import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

import { placesOf, removeTrees } from './clone.js';
import { attemptFolder } from './state.js';
import type { Attempt } from './state.js';
import type { Work } from './work.js';

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
