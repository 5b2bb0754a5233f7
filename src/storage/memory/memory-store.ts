import { PlanError } from '../../kernel/errors.js';
import type { History } from '../../plan/history.js';
import { isArchived } from '../../plan/archived.js';
import type { EventPayload, PlanEvent } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import type { Outcome, PlanLog, PlanStore, Stamp } from '../plan-store.js';
import { wordRefusal } from '../../plan/refusals.js';

interface Kept {
  history: History;
  events: PlanEvent[];
}

/**
 * A store that lives as long as the process; for the library, and to plan without leaving a trace. What
 * plans are made with is loaded when the first is made, for most commands never make one of these.
 */
export function createMemoryStore(stamp: Stamp): PlanStore {
  const kept = new Map<string, Kept>();

  return {
    location: 'memory',
    async create(first, rest = []) {
      const planId = first.plan.id;
      const { beginHistory } = await import('../../plan/history.js');
      const plan: Kept = { history: beginHistory(), events: [] };
      const outcomes = await write(plan, [first, ...rest]);
      const [refused] = outcomes.flatMap((outcome) => outcome.refused ?? []);
      if (refused !== undefined) throw new PlanError('INVALID_PLAN', wordRefusal(refused));
      if (kept.has(planId)) throw new PlanError('PLAN_EXISTS', `there is a plan ${planId} already`);
      kept.set(planId, plan);
      return logOf(plan);
    },
    open: async (planId) => logOf(find(planId)),
    async view(planId) {
      const plan = kept.get(planId);
      return plan === undefined ? null : stateOf(plan);
    },
    findDamage: async () => [],
    async eventsOf(planId, type, goal) {
      const { isOf } = await import('../file/log/find-events.js');
      return find(planId).events.filter((event) => isOf(event, type, goal));
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
      };
    },
    async purge(planId) {
      find(planId);
      kept.delete(planId);
    },
  };

  function find(planId: string): Kept {
    const plan = kept.get(planId);
    if (plan === undefined) throw noPlan(planId);
    return plan;
  }

  function logOf(plan: Kept): PlanLog {
    return {
      get plan() {
        return stateOf(plan);
      },
      get archived() {
        return isArchived(stateOf(plan).header.archived_at, false);
      },
      missing: 0,
      stale: false,
      get lastEvent() {
        return plan.events.at(-1)?.id ?? null;
      },
      publishDue: false,
      pending: 0,
      taken: async () => ({ events: [], action: '', file: '' }),
      bringBack: async () => undefined,
      letGo: async () => undefined,
      damage: [],
      async append(payloads, by) {
        // Somebody may have deleted it for good since it was opened.
        if (find(stateOf(plan).header.id) !== plan) throw noPlan(stateOf(plan).header.id);
        return write(plan, payloads, by);
      },
      refresh: async () => stateOf(plan),
      publish: async () => true,
      events: async () => [...plan.events],
      async *eachEvent() {
        yield* plan.events;
      },
    };
  }

  async function write(
    plan: Kept,
    payloads: readonly EventPayload[],
    by?: string,
  ): Promise<readonly Outcome[]> {
    const { extendHistory, nextClock } = await import('../../plan/history.js');
    const { encodeReadably } = await import('../file/log/event-line.js');
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
    return stamped.map((event) => {
      const before = plan.history.plan;
      const { history, verdict } = extendHistory(plan.history, event);
      const refused = verdict.kind === 'refused' ? verdict.refusal : null;
      if (history.plan === null)
        throw new PlanError('INVALID_PLAN', wordRefusal(refused ?? { code: 'no_plan' }));
      plan.history = history;
      plan.events.push(event);
      return { event, refused, before: before ?? history.plan, after: history.plan };
    });
  }
}

function stateOf(kept: Kept): Plan {
  if (kept.history.plan === null) throw new TypeError('a kept plan has a state');
  return kept.history.plan;
}

function noPlan(planId: string): PlanError {
  return new PlanError('PLAN_NOT_FOUND', `there is no plan ${planId}`, { details: { plan: planId } });
}
