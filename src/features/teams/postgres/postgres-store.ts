import type { EventPayload } from '../../../plan/events.js';
import type { PlanStore, Stamp, StoreChange, StoreWarning } from '../../../storage/plan-store.js';
import { planExists, planNotFound } from '../../../storage/plan-store-errors.js';
import { openDatabase } from './database.js';
import type { Database } from './database.js';
import { createEventRows, deleteEventRows, IS_PLAN_ID, PLAN_EVENTS } from './event-table.js';

export interface PostgresStoreOptions {
  /** Of the database, with user and password. */
  readonly url: string;
  readonly stamp: Stamp;
  /** Now, in milliseconds since 1970. */
  readonly now: () => number;
  /** Told what failed after a change was stored; without it that is thrown. */
  readonly warn?: ((warning: StoreWarning) => void) | undefined;
}

/**
 * A store in a PostgreSQL database, for any number of machines. Nothing is connected before something is asked.
 * @throws PlanError INVALID_CONFIG for what is no URL of PostgreSQL
 */
export function createPostgresStore(options: PostgresStoreOptions): PlanStore {
  const database = openDatabase(options.url);
  const store: PlanStore = {
    location: database.location,
    async create(first, rest = []) {
      await createPlan(database, options.stamp, [first, ...rest], first.plan.id);
      return store.open(first.plan.id);
    },
    async open(planId, from = 'view') {
      const { openPostgresLog } = await import('./postgres-log.js');
      return openPostgresLog({ ...options, database, planId }, from);
    },
    async view(planId) {
      return (await import('./read-plans.js')).viewPlan(database, planId);
    },
    async findDamage(planId) {
      return (await import('./read-plans.js')).readPlanDamage(database, planId);
    },
    async eventsOf(planId, type, goal) {
      return (await import('./read-plans.js')).readEventsOfGoal(database, planId, { type, goal });
    },
    async recentEvents(planId, wanted) {
      return (await import('./read-plans.js')).readLastRows(database, planId, wanted);
    },
    subscribe: (onChange) => subscribeTo(database, onChange),
    async ids() {
      const { rows } = await database.query<{ id: string }>(`select id from frctl_plan where ${IS_PLAN_ID}`);
      return rows.map(({ id }) => id);
    },
    async list(which = 'active') {
      return (await import('./list-plans.js')).listPlans(database, store, which);
    },
    async purge(planId) {
      if (!(await deleteEventRows(database, PLAN_EVENTS, planId))) throw planNotFound(planId);
    },
  };
  return store;
}

async function createPlan(
  database: Database,
  stamp: Stamp,
  payloads: readonly EventPayload[],
  planId: string,
): Promise<void> {
  const { encodeReadably } = await import('../../../storage/log/event-line.js');
  const { refuseBadBeginning } = await import('../../../storage/first-refusal.js');
  const { snapshotSummaryText } = await import('./snapshot.js');
  // The clock of the database is known once it has been asked something, and the events carry its time.
  const replica = await database.replica();
  const events = payloads.map((payload, index) => ({ ...stamp(), replica, clock: index + 1, ...payload }));
  const plan = refuseBadBeginning(events);
  const rows = events.map((event) => ({ id: event.id, body: encodeReadably(event).line.slice(1, -1) }));
  const summary = plan === null ? '{}' : snapshotSummaryText(plan, rows.length);
  if (!(await createEventRows(database, PLAN_EVENTS, planId, rows, { summary, summary_seq: rows.length })))
    throw planExists(planId);
}

/** What listens is loaded only where somebody wants to know. */
function subscribeTo(database: Database, onChange: (change: StoreChange) => void): () => void {
  let stop: (() => void) | null = null;
  let isOver = false;
  void import('./listen.js').then(({ listenForChanges }) => {
    if (!isOver) stop = listenForChanges(database, onChange);
  });
  return () => {
    isOver = true;
    stop?.();
  };
}
