import { fixedGoals } from '../../../plan/goals.js';
import { countGoals } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import { eventIdEndingAt } from '../log/event-position.js';
import { fileIdentity } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import type { JournalLook } from '../journal/peek-journal.js';
import type { PlanPaths } from '../store-paths.js';
import { readPlainBytesNow } from '../../../host/files/plain-file.js';
import { readPublished } from '../../log/published-snapshot.js';

/**
 * The plan that a plan file and the tail of its log come to, when the file is to the byte what was published. It is
 * the plan that opening would come to; where nothing was written since, it is found without loading what plans are
 * made with.
 * @returns null when it is not so, or not sure: then the plan must be opened, which also says what is wrong
 */
export async function readPublishedView(
  planId: string,
  paths: PlanPaths,
  peekJournal: (log: FileIdentity) => JournalLook,
): Promise<Plan | null> {
  const published = readPublished(bytesOf(paths.planFile));
  if (published === null || published.header.id !== planId) return null;
  const { header, goals, log: at } = published;
  // What an older version did not know this one may.
  if ((at.unknown ?? []).length > 0) return null;
  // Looked at after the plan file, for others may write and publish while it is read.
  const log = await fileIdentity(paths.eventLog).catch(() => null);
  if (log === null || log.size < at.bytes) return null;
  const { isReconciled, others } = peekJournal(log);
  if (!isReconciled && others.length > 0) return null;
  if (log.size > at.bytes) {
    const { planWithTail } = await import('../log/log-reading.js');
    return planWithTail(paths.eventLog, published, log).catch(() => null);
  }
  if (eventIdAt(paths.eventLog, at.bytes) !== at.event) return null;
  return { header, goals: fixedGoals(goals), counts: countGoals(goals.values()) };
}

function bytesOf(path: string): Buffer {
  try {
    return readPlainBytesNow(path);
  } catch {
    return Buffer.of();
  }
}

function eventIdAt(path: string, end: number): string | null {
  try {
    return eventIdEndingAt(path, end);
  } catch {
    return null;
  }
}
