import { PlanError } from '../../kernel/errors.js';
import { isArchived } from '../../plan/archived.js';
import type { EventPayload, PlanEvent } from '../../plan/events.js';
import type { History } from '../../plan/history.js';
import type { Plan } from '../../plan/plan.js';
import { wordRefusal } from '../../plan/refusals.js';
import type { Outcome, PlanLog, Stamp } from '../plan-store.js';
import { planNotFound } from '../plan-store-errors.js';

/** A plan with all its events. */
export interface StoredPlan {
  history: History;
  events: PlanEvent[];
  /** Called after every change. */
  readonly onChange: () => void;
}

/**
 * A plan that is kept in memory, open to be changed.
 * @param isKept whether it is there still: somebody may have deleted it for good since it was opened
 */
export function openMemoryLog(plan: StoredPlan, stamp: Stamp, isKept: () => boolean): PlanLog {
  return {
    get plan() {
      return stateOf(plan);
    },
    get archived() {
      return isArchived(stateOf(plan).header.archived_at, false);
    },
    isCutOff: false,
    stale: false,
    get lastEvent() {
      return plan.events.at(-1)?.id ?? null;
    },
    publishDue: false,
    pending: 0,
    damage: [],
    async append(payloads, by) {
      if (!isKept()) throw planNotFound(stateOf(plan).header.id);
      return writeEvents(plan, stamp, payloads, by);
    },
    async refresh() {
      if (!isKept()) throw planNotFound(stateOf(plan).header.id);
      return stateOf(plan);
    },
    publish: async () => true,
    events: async () => [...plan.events],
    async *eachEvent() {
      yield* plan.events;
    },
  };
}

/** Applies events to a plan and keeps them in its log in memory. */
export async function writeEvents(
  plan: StoredPlan,
  stamp: Stamp,
  payloads: readonly EventPayload[],
  by?: string,
): Promise<readonly Outcome[]> {
  const { extendHistory, nextClock } = await import('../../plan/history.js');
  const { encodeReadably } = await import('../log/event-line.js');
  const stamped = payloads.map(
    (payload, index) =>
      encodeReadably({
        ...stamp(),
        ...(by === undefined ? {} : { by }),
        replica: 'memory',
        clock: nextClock(plan.history, index),
        ...payload,
      }).event,
  );
  const outcomes = stamped.map((event) => {
    const before = plan.history.plan;
    const { history, verdict } = extendHistory(plan.history, event);
    const refused = verdict.kind === 'refused' ? verdict.refusal : null;
    if (history.plan === null)
      throw new PlanError('INVALID_PLAN', wordRefusal(refused ?? { code: 'no_plan' }));
    plan.history = history;
    plan.events.push(event);
    return { event, refused, before: before ?? history.plan, after: history.plan };
  });
  plan.onChange();
  return outcomes;
}

/** The state of a plan whose log is in memory. */
export function stateOf(kept: StoredPlan): Plan {
  if (kept.history.plan === null) throw new TypeError('a kept plan has a state');
  return kept.history.plan;
}
