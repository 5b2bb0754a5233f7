import { dirname, join } from 'node:path';

import { appendLine, readTextFileIfAny } from '../../../../host/files/text-files.js';
import { userConfigPath } from '../../../../operations/shared/environment.js';
import type { Environment } from '../../../../operations/shared/environment.js';
import type { Run } from '../../model/run.js';

/** What this user has seen of a run that a person has agreed to. */
type Seen = 'begun' | 'ended';

/**
 * Says what this user has seen a run become that its log does not say: then an older copy of the log was put in its
 * place, with an approval that is used up and steps that were done.
 * @returns null where the log says it, or nobody has seen more here
 * @throws PlanError STORAGE_FAILED
 */
export async function forgottenByLog(environment: Environment, run: Run): Promise<Seen | null> {
  const seen = new Set(((await readTextFileIfAny(pathOf(environment))) ?? '').split('\n'));
  if (run.ended === null && seen.has(`${run.id} ended`)) return 'ended';
  return run.executor === null && seen.has(`${run.id} begun`) ? 'begun' : null;
}

/** Notes what has become of a run, outside of its workspace. @throws PlanError STORAGE_FAILED */
export async function noteSeen(environment: Environment, run: string, what: Seen): Promise<void> {
  // A line is appended, so that processes that note something at once forget nothing of each other.
  await appendLine(pathOf(environment), `${run} ${what}`, 'make');
}

function pathOf(environment: Environment): string {
  return join(dirname(userConfigPath(environment)), 'begun-runs');
}
