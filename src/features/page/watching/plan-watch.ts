import { PlanError } from '../../../kernel/errors.js';
import type { Plan } from '../../../plan/plan.js';
import type { PlanLog, StoreChange } from '../../../storage/plan-store.js';
import type { Context } from '../../../operations/shared/context.js';
import { findPlanId } from '../../../operations/shared/find-plan.js';
import { asPlanError } from '../../../operations/shared/system-error.js';
import { coalesced } from './coalesced.js';
import { feedEntry } from './log-feed.js';
import type { FeedEntry } from './log-feed.js';

/** What is known of a plan that is watched. */
export interface WatchedState {
  readonly plan: Plan;
  readonly archived: boolean;
  /** The last entries of its log, the oldest first. */
  readonly feed: readonly FeedEntry[];
}

/** A plan that somebody watches. */
interface WatchedPlan {
  readonly state: WatchedState;
  stop(): void;
}

/** Told of the state of a plan, or why nothing more can be told. */
type PlanListener = (state: WatchedState | PlanError) => void;

/** Watches a store, for as many as want to look on; each plan is read once for all of them. */
export interface StoreWatch {
  /**
   * Watches a plan. Nothing is published or written for that.
   * @param name its id, or the beginning of it
   * @throws PlanError PLAN_NOT_FOUND, and what opening throws
   */
  plan(name: string, listener: PlanListener): Promise<WatchedPlan>;
  /** Tells what may have changed in the store. @returns what ends it */
  subscribe(listener: (change: StoreChange) => void): () => void;
  stop(): void;
}

/** No more often is a plan read anew, which while it is planned changes many times a second. */
const GAP_MS = 100;
const FEED_LENGTH = 40;

interface Open {
  readonly log: PlanLog;
  state: WatchedState;
  readonly listeners: Set<PlanListener>;
  readonly refresh: () => void;
}

/** Begins to watch the store of a context. @throws PlanError STORE_NOT_FOUND */
export function watchStoreOf(context: Context): StoreWatch {
  const store = context.store();
  const plans = new Map<string, Promise<Open>>();
  const listeners = new Set<(change: StoreChange) => void>();
  const stop = store.subscribe((change) => {
    for (const each of listeners) each(change);
    for (const [id, opened] of plans)
      if (change.kind === 'any' || (change.kind === 'plan' && change.id === id))
        void opened.then(({ refresh }) => refresh()).catch(() => undefined);
  });

  return {
    async plan(name, listener) {
      const id = await findPlanId(context, name);
      const opened = plans.get(id) ?? open(id);
      plans.set(id, opened);
      const found = await opened;
      found.listeners.add(listener);
      return {
        get state() {
          return found.state;
        },
        stop() {
          found.listeners.delete(listener);
          if (found.listeners.size === 0 && plans.get(id) === opened) plans.delete(id);
        },
      };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop,
  };

  async function open(id: string): Promise<Open> {
    try {
      const log = await store.open(id);
      const told = new Set<PlanListener>();
      const refresh = coalesced(() => readOn(found), GAP_MS);
      const found: Open = { log, state: await stateOf(log), listeners: told, refresh };
      return found;
    } catch (thrown) {
      plans.delete(id);
      throw thrown;
    }
  }

  async function readOn(found: Open): Promise<void> {
    try {
      const before = found.state;
      await found.log.refresh();
      if (found.log.plan === before.plan && found.log.archived === before.archived) return;
      found.state = await stateOf(found.log);
      for (const tell of found.listeners) tell(found.state);
    } catch (thrown) {
      const error = await whyUnreadable(found.state.plan.header.id, thrown);
      // It is looked at again when anything may have changed, which is so every few seconds.
      if (error.code === 'STORAGE_FAILED') return;
      for (const tell of found.listeners) tell(error);
    }
  }

  /** That a plan is gone is said as such. */
  async function whyUnreadable(id: string, thrown: unknown): Promise<PlanError> {
    const ids = await store.ids().catch(() => [id]);
    if (ids.includes(id)) return asPlanError(thrown, 'the plan cannot be read any more');
    return new PlanError('PLAN_NOT_FOUND', `there is no plan ${id} any more`, { details: { plan: id } });
  }

  async function stateOf(log: PlanLog): Promise<WatchedState> {
    const { plan, archived } = log;
    const { events } = await store.recentEvents(plan.header.id, { count: FEED_LENGTH });
    return { plan, archived, feed: events.map((event) => feedEntry(event, plan)) };
  }
}
