import { fileIdentity, isSameFile } from '../../../host/files/file-identity.js';
import type { Journal } from '../journal/journal.js';
import { eventIdEndingAt } from '../log/event-position.js';
import { lostLines } from '../log/log-reading.js';
import type { Reading } from '../log/log-reading.js';
import { planWithLostChanges } from '../log/lost-changes.js';
import type { PlanPaths } from '../store-paths.js';
import { readPlanFile } from './plan-file-reader.js';

/** A plan that was read and is to be published where another plan file may stand. */
interface Replacement {
  readonly planId: string;
  readonly paths: PlanPaths;
  readonly journal: Journal;
  readonly reading: Reading;
}

/**
 * What is to become of the plan file that is there, which is not the one that the plan was read from. `replace`: the log has
 * all that it shows; `copy`: somebody edited or damaged it, or it may show what is damaged in the log; `keep`: it shows what
 * the log has lost.
 * @throws PlanError UNSUPPORTED_VERSION, STORAGE_FAILED
 */
export async function fateOfPlanFile({
  planId,
  paths: { planFile, eventLog },
  journal,
  reading,
}: Replacement): Promise<'replace' | 'copy' | 'keep'> {
  const found = await readPlanFile(planFile, planId, 'view');
  if (found.kind === 'absent') return 'replace';
  const isIntact = lostLines(reading) === 0;
  if (found.kind === 'unreadable') return isIntact && (found.merged || found.withheld) ? 'replace' : 'copy';
  const { published, merged, plan, log: position } = found;
  if (!published || position === undefined) return isIntact && merged ? 'replace' : 'copy';
  if (journal.isOfOther(reading.file, position.event)) return 'replace';
  // Others may have written, and published that, since the log was read.
  const log = await fileIdentity(eventLog);
  if (log === null || !isSameFile(log, reading.file)) return 'replace';
  // Another process has published more of the same log, or less.
  const isOfThis = position.bytes <= log.size && eventIdEndingAt(eventLog, position.bytes) === position.event;
  if (isOfThis && isIntact && !reading.whole) return 'replace';
  return (await planWithLostChanges(eventLog, log, { plan, position })) === null ? 'replace' : 'keep';
}
