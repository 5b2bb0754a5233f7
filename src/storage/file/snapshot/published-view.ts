import { isAscii } from 'node:buffer';

import { parseOrNull } from '../../../kernel/json/parse-or-null.js';
import { publishedPlan } from '../../../plan/snapshot/published-plan.js';
import type { PublishedPlan } from '../../../plan/snapshot/published-plan.js';
import { fixedGoals } from '../../../plan/goals.js';
import { countGoals } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import { eventIdEndingAt } from '../log/event-position.js';
import { identify } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import type { JournalLook } from '../journal/journal-look.js';
import type { PlanPaths } from '../store-paths.js';
import { readPlainBytesNow } from '../../../host/files/plain-file.js';
import { hasFittingChecksum } from './checksum.js';

/**
 * The plan that a plan file and the tail of its log come to, when the file is to the byte what was published. It is
 * the plan that opening would come to; where nothing was written since, it is found without loading what plans are
 * made with.
 * @returns null when it is not so, or not sure: then the plan must be opened, which also says what is wrong
 */
export async function readPublishedView(
  planId: string,
  paths: PlanPaths,
  lookInJournal: (log: FileIdentity) => JournalLook,
): Promise<Plan | null> {
  const published = readPublished(bytesOf(paths.planFile));
  if (published === null || published.header.id !== planId) return null;
  const { header, goals, log: at } = published;
  // What an older version did not know this one may.
  if ((at.unknown ?? []).length > 0) return null;
  // Looked at after the plan file, for others may write and publish while it is read.
  const log = await identify(paths.eventLog).catch(() => null);
  if (log === null || log.size < at.bytes) return null;
  const { isReconciled, others } = lookInJournal(log);
  if (!isReconciled && others.length > 0) return null;
  if (log.size > at.bytes) {
    const { planWithTail } = await import('../log/log-reading.js');
    return planWithTail(paths.eventLog, published, log).catch(() => null);
  }
  if (eventIdAt(paths.eventLog, at.bytes) !== at.event) return null;
  return { header, goals: fixedGoals(goals), counts: countGoals(goals.values()) };
}

/** The plan in the bytes of a plan file that are just as they were published; null for any others. */
export function readPublished(bytes: Buffer): PublishedPlan | null {
  if (!hasFittingChecksum(bytes)) return null;
  return publishedPlan(parseOrNull(textOf(bytes)));
}

/** What is ASCII alone, as most plans are, is a text at once; UTF-8 must be decoded. */
function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
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
