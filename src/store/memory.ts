import { PlanError } from '../errors.js';
import type { History } from '../plan/history.js';
import type { EventPayload, PlanEvent } from '../plan/events.js';
import type { Plan } from '../plan/plan.js';
import type { Outcome, PlanLog, PlanStore, Shelf, Stamp } from './plan-store.js';
import { wordRefusal } from '../plan/refusals.js';

interface Kept {
  history: History;
  events: PlanEvent[];
  shelf: Shelf;
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
      const { beginHistory } = await import('../plan/history.js');
      const plan: Kept = { history: beginHistory(), events: [], shelf: 'active' };
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
    ids: async (shelf = 'active') => [...kept].filter(([, plan]) => plan.shelf === shelf).map(([id]) => id),
    async list(shelf = 'active') {
      const { summarize } = await import('../plan/plan.js');
      const plans = [...kept.values()]
        .filter((plan) => plan.shelf === shelf)
        .map((plan) => summarize(stateOf(plan)));
      return {
        plans: plans.toSorted((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at)),
        problems: [],
      };
    },
    async move(planId, to) {
      const plan = find(planId);
      if (plan.shelf === to) throw new PlanError('PLAN_NOT_FOUND', `plan ${planId} is there already`);
      plan.shelf = to;
    },
    async purge(planId) {
      find(planId);
      kept.delete(planId);
    },
  };

  function find(planId: string): Kept {
    const plan = kept.get(planId);
    if (plan === undefined)
      throw new PlanError('PLAN_NOT_FOUND', `there is no plan ${planId}`, { details: { plan: planId } });
    return plan;
  }

  function logOf(plan: Kept): PlanLog {
    return {
      get plan() {
        return stateOf(plan);
      },
      get shelf() {
        return plan.shelf;
      },
      missing: 0,
      stale: false,
      damage: [],
      append: (payloads, by) => write(plan, payloads, by),
      refresh: async () => stateOf(plan),
      publish: async () => undefined,
      events: async () => [...plan.events],
    };
  }

  async function write(
    plan: Kept,
    payloads: readonly EventPayload[],
    by?: string,
  ): Promise<readonly Outcome[]> {
    const { extendHistory, nextClock } = await import('../plan/history.js');
    const { encodeReadably } = await import('./file/event-line.js');
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
