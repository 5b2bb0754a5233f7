import type { PlanEvent } from '../../../plan/events.js';
import { toPlanFile } from '../../../plan/snapshot/plan-file.js';
import type { Stamp } from '../../plan-store.js';
import { encodeReadably, twiceMade } from '../../log/event-line.js';
import { createLog, logRemoved } from './event-log.js';
import type { LogReader } from './log-reader.js';
import type { LogReaderOptions } from './plan-state.js';
import { beginJournal } from './reconcile-log.js';

/** How often a plan file that changes all the time is read again. */
const MAX_ATTEMPTS = 5;

/**
 * Makes a plan file that came without its log the first event of a new one; one whose log is gone is refused.
 * @throws PlanError STORAGE_FAILED
 */
export async function adoptPlanFile(
  options: LogReaderOptions & { readonly stamp: Stamp },
  reader: LogReader,
): Promise<void> {
  const { paths, journal } = options;
  const replica = await options.replica();
  if (journal.hasAny()) throw logRemoved(paths.eventLog);
  for (let attempt = 0; attempt < MAX_ATTEMPTS && reader.reading === null; attempt += 1) {
    // It was edited, or deleted, after it had been read.
    if (attempt > 0) await reader.reloadAlone();
    const first: PlanEvent = {
      ...options.stamp(),
      replica,
      clock: 1,
      type: 'plan_imported',
      plan: toPlanFile(reader.plan),
    };
    const content = twiceMade([encodeReadably(first).line]).join('');
    if (await createLog(paths.eventLog, content, { unless: reader.alone?.isChanged }))
      await beginJournal(journal, paths.eventLog);
    await reader.readOn(new Map());
  }
}
