import type { EventStamp, PayloadOf } from '../events.js';
import type { Plan } from '../plan.js';
import { accept } from './applied.js';
import type { Applied, Refuse } from './applied.js';
import { settle } from './settle.js';

/**
 * Archives a plan. That is a state and no more: what another copy of the store did meanwhile still counts, so
 * that a merge loses nothing.
 */
export function archivePlan(
  plan: Plan,
  event: PayloadOf<'plan_archived'> & EventStamp,
  refuse: Refuse,
): Applied {
  if (typeof plan.header.archived_at === 'string') return refuse('the plan is archived already');
  return accept(settle({ ...plan, header: { ...plan.header, archived_at: event.at } }, event));
}

/** Brings a plan back, also one of which only the place of its files says that it is archived. */
export function unarchivePlan(
  plan: Plan,
  event: PayloadOf<'plan_unarchived'> & EventStamp,
  refuse: Refuse,
): Applied {
  if (plan.header.archived_at === null) return refuse('the plan is not archived');
  return accept(settle({ ...plan, header: { ...plan.header, archived_at: null } }, event));
}
