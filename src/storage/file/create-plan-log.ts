import { PlanError } from '../../kernel/errors.js';
import type { PlanEvent } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import { wordRefusal } from '../../plan/refusals.js';
import type { Refusal } from '../../plan/refusals.js';
import type { Journal } from './journal/journal.js';
import { planPaths } from './store-paths.js';
import { findPlanPlace } from './plans-on-disk.js';

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
  const refused = await firstRefusal(events);
  if (refused !== null) throw new PlanError('INVALID_PLAN', wordRefusal(refused));
  const { createLog } = await import('./log/event-log.js');
  const { encodeReadably, twiceMade } = await import('./log/event-line.js');
  const { endPurge } = await import('./purge-plan.js');
  await endPurge(folder, planId);
  const content = twiceMade(events.map((event) => encodeReadably(event).line)).join('');
  const { eventLog } = planPaths(folder, planId, 'store');
  const isTaken = (await findPlanPlace(folder, planId)) !== null || !(await createLog(eventLog, content));
  if (isTaken) throw planExists(planId);
  const { beginJournal } = await import('./log/reconcile-log.js');
  await beginJournal(journal, eventLog);
}

async function firstRefusal(events: readonly PlanEvent[]): Promise<Refusal | null> {
  const { apply } = await import('../../plan/apply.js');
  let plan: Plan | null = null;
  for (const event of events) {
    const applied = apply(plan, event);
    if (applied.refused !== null) return applied.refused;
    plan = applied.plan;
  }
  return null;
}

function planExists(planId: string): PlanError {
  return new PlanError('PLAN_EXISTS', `there is a plan ${planId} already`, {
    hint: `\`plan status ${planId}\` shows the one that is here, also when it is archived; it stays as it is.`,
    details: { plan: planId },
  });
}
