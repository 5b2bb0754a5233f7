import { PlanError } from '../../kernel/errors.js';
import { isArchived } from '../../plan/archived.js';
import type { PlanLog, PlanStore, Stamp, StoreChange } from '../plan-store.js';
import { openMemoryLog, stateOf, writeEvents } from './memory-log.js';
import type { StoredPlan } from './memory-log.js';
import { wordRefusal } from '../../plan/refusals.js';
import { planNotFound } from '../plan-store-errors.js';

/** The plans of a store that lives as long as the process. */
export type StoredPlans = Map<string, StoredPlan>;

/** Whom the stores of the same plans tell of changes. */
const LISTENERS = new WeakMap<StoredPlans, Set<(change: StoreChange) => void>>();

/**
 * A store that lives as long as the process; for the library, and to plan without leaving a trace. What
 * plans are made with is loaded when the first is made, for most commands never make one of these.
 * @param kept the plans of another such store, to write to them with another stamp
 */
export function createMemoryStore(stamp: Stamp, kept: StoredPlans = new Map()): PlanStore {
  const listeners = LISTENERS.get(kept) ?? new Set<(change: StoreChange) => void>();
  LISTENERS.set(kept, listeners);
  const tell = (id: string) => {
    for (const each of listeners) each({ kind: 'plan', id });
  };

  return {
    location: 'memory',
    async create(first, rest = []) {
      const planId = first.plan.id;
      const { beginHistory } = await import('../../plan/history.js');
      const plan: StoredPlan = { history: beginHistory(), events: [], onChange: () => tell(planId) };
      const outcomes = await writeEvents(plan, stamp, [first, ...rest]);
      const [refused] = outcomes.flatMap((outcome) => outcome.refused ?? []);
      if (refused !== undefined) throw new PlanError('INVALID_PLAN', wordRefusal(refused));
      if (kept.has(planId)) throw new PlanError('PLAN_EXISTS', `there is a plan ${planId} already`);
      kept.set(planId, plan);
      tell(planId);
      return logOf(planId, plan);
    },
    open: async (planId) => logOf(planId, find(planId)),
    async view(planId) {
      const plan = kept.get(planId);
      return plan === undefined ? null : stateOf(plan);
    },
    findDamage: async () => [],
    async eventsOf(planId, type, goal) {
      const { isOf } = await import('../log/goal-named.js');
      return find(planId).events.filter((event) => isOf(event, type, goal));
    },
    async recentEvents(planId, { count, before }) {
      const { events } = find(planId);
      const end = Math.min(before ?? events.length, events.length);
      const first = Math.max(0, end - count);
      return { events: events.slice(first, end), before: first > 0 ? first : null };
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    ids: async () => [...kept.keys()],
    async list(which = 'active') {
      const { summarize } = await import('../../plan/plan.js');
      const plans = [...kept.values()]
        .map((plan) => summarize(stateOf(plan)))
        .filter((plan) => isArchived(plan.archived_at, false) === (which === 'archived'));
      return {
        plans: plans.toSorted((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at)),
        problems: [],
        perhapsNewest: [],
      };
    },
    async purge(planId) {
      find(planId);
      kept.delete(planId);
      tell(planId);
    },
  };

  function find(planId: string): StoredPlan {
    const plan = kept.get(planId);
    if (plan === undefined) throw planNotFound(planId);
    return plan;
  }

  function logOf(planId: string, plan: StoredPlan): PlanLog {
    return openMemoryLog(plan, stamp, () => kept.get(planId) === plan);
  }
}
