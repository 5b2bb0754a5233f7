import type { PlanEvent } from '../../plan/events.js';
import type { Journal } from './journal/journal.js';
import { planPaths } from './store-paths.js';
import { findPlanFolder } from './plans-on-disk.js';
import { planExists } from '../plan-store-errors.js';

/** A plan that is to be made. */
interface NewPlanLog {
  /** The store's folder. */
  readonly folder: string;
  readonly planId: string;
  /** The one that makes it, and what follows. */
  readonly events: readonly PlanEvent[];
  readonly journal: Journal;
}

/**
 * Makes the log of a plan, with its events from the first moment; durable when the promise resolves.
 * @throws PlanError PLAN_EXISTS, INVALID_PLAN when an event is refused, STORAGE_FAILED
 */
export async function createPlanLog({ folder, planId, events, journal }: NewPlanLog): Promise<void> {
  const { refuseBadBeginning } = await import('../first-refusal.js');
  refuseBadBeginning(events);
  const { createLog } = await import('./log/event-log.js');
  const { encodeReadably, twiceMade } = await import('../log/event-line.js');
  const { endPurge } = await import('./purge-plan.js');
  await endPurge(folder, planId);
  const content = twiceMade(events.map((event) => encodeReadably(event).line)).join('');
  const { eventLog } = planPaths(folder, planId, 'store');
  const isTaken = (await findPlanFolder(folder, planId)) !== null || !(await createLog(eventLog, content));
  if (isTaken) throw planExists(planId);
  const { beginJournal } = await import('./log/reconcile-log.js');
  await beginJournal(journal, eventLog);
}
