import { PlanError } from '../../../kernel/errors.js';
import { isArchived } from '../../../plan/archived.js';
import type { PlanEvent } from '../../../plan/events.js';
import type { Plan } from '../../../plan/plan.js';
import { stampBatch } from '../../../storage/log/stamp-events.js';
import type { Stamped, Waiting } from '../../../storage/log/stamp-events.js';
import type { Outcome, PlanLog, PublishTime, Stamp, StoreWarning } from '../../../storage/plan-store.js';
import { planNotFound } from '../../../storage/plan-store-errors.js';
import { createTurns } from '../../../storage/turns.js';
import { jobsOf } from './jobs/jobs-of-events.js';
import type { Database } from './database.js';
import { appendEventRows, PLAN_EVENTS } from './event-table.js';
import { readEventRows } from './read-event-rows.js';
import type { Range } from './read-event-rows.js';
import { beginPlanReading, decodeRow, historyOfReading, readInEvent, readRow } from './plan-reading.js';
import type { PlanReading, Verdicts } from './plan-reading.js';
import { createSnapshots, readingOfSnapshot, SNAPSHOT } from './snapshot.js';
import type { Snapshots } from './snapshot.js';

export interface PostgresLogOptions {
  readonly database: Database;
  readonly planId: string;
  readonly stamp: Stamp;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly warn?: ((warning: StoreWarning) => void) | undefined;
}

interface PlanRow extends Record<string, unknown> {
  readonly shelved: boolean;
  readonly first: string | null;
  readonly snapshot: string | null;
  readonly snapshot_seq: string | null;
}

/**
 * Opens a plan that is kept in PostgreSQL: its snapshot, and what its log has since.
 * @param from `log`: its log alone
 * @throws PlanError PLAN_NOT_FOUND, STORE_DAMAGED, STORAGE_FAILED
 */
export async function openPostgresLog(options: PostgresLogOptions, from: 'view' | 'log'): Promise<PlanLog> {
  const { database, planId } = options;
  const row = await findPlan(database, planId, from);
  const snapshots = createSnapshots({ ...options, size: row.snapshot?.length ?? 0 });
  const begun = readingOfSnapshot(planId, row.snapshot, Number(row.snapshot_seq ?? 0)) ?? beginPlanReading();
  const held: Held = {
    ...options,
    replica: await database.replica(),
    first: row.first ?? '',
    reading: begun,
  };
  const inTurn = createTurns();
  const queue: Waiting[] = [];
  await readOn(held);

  return {
    get plan() {
      return stateOf(held);
    },
    get archived() {
      return isArchived(stateOf(held).header.archived_at, row.shelved);
    },
    isCutOff: false,
    stale: false,
    get lastEvent() {
      return held.reading.last;
    },
    get publishDue() {
      return snapshots.isDue(held.reading);
    },
    pending: 0,
    get damage() {
      return held.reading.damage;
    },
    append: (payloads, by) =>
      new Promise((resolve, reject) => {
        queue.push({ payloads, by, resolve, reject });
        void inTurn(() => writeBatch(held, queue.splice(0)));
      }),
    refresh: () => inTurn(() => refresh(held)),
    publish: (when) => inTurn(() => publish(held, snapshots, when)),
    async events(upTo) {
      const events: PlanEvent[] = [];
      for await (const event of eventsIn(database, planId, upTo?.bytes)) events.push(event);
      return events;
    },
    eachEvent: () => eventsIn(database, planId),
  };
}

/** A plan that is open, and how far its log was read. */
interface Held extends PostgresLogOptions {
  readonly replica: string;
  /** The id of its first event. */
  readonly first: string;
  reading: PlanReading;
}

async function readOn(held: Held, verdicts?: Verdicts, range: Omit<Range, 'after'> = {}): Promise<Plan> {
  const further = { ...range, after: held.reading.seq };
  for await (const page of readEventRows(held.database, PLAN_EVENTS, held.planId, further))
    for (const row of page) held.reading = readRow(held.reading, row, verdicts);
  return stateOf(held);
}

/** Without its first event the plan is gone, or is another of that name: no event that is missing says so. */
async function refresh(held: Held): Promise<Plan> {
  const { planId, first } = held;
  return readOn(held, undefined, { of: { first, gone: () => planNotFound(planId) } });
}

async function writeBatch(held: Held, batch: readonly Waiting[]): Promise<void> {
  if (batch.length === 0) return;
  try {
    const stamped = stampBatch(batch, held.stamp, held.replica, historyOfReading(held.reading));
    const verdicts = await write(
      held,
      stamped.flatMap(({ lines }) => lines),
    );
    for (const { lines, resolve } of stamped)
      resolve(lines.map(({ event }) => outcomeOf(event, verdicts, stateOf(held))));
  } catch (cause) {
    for (const { reject } of batch) reject(cause);
  }
}

/** Writes without looking first, and learns the verdicts by reading up to its own. */
async function write(held: Held, lines: Stamped['lines']): Promise<Verdicts> {
  const verdicts: Verdicts = new Map();
  if (lines.length === 0) return verdicts;
  const { database, planId, first } = held;
  const rows = lines.map(({ event, line }) => ({ id: event.id, body: line.slice(1, -1) }));
  const events = lines.map(({ event }) => event);
  const jobs = jobsOf(held.reading.plan, events);
  const base = await appendEventRows(database, PLAN_EVENTS, { id: planId, first }, rows, jobs);
  if (base === null) throw planNotFound(planId);
  if (base !== held.reading.seq) await readOn(held, verdicts, { upTo: base + lines.length });
  else
    for (const [index, { event, line }] of lines.entries())
      held.reading = readInEvent(
        held.reading,
        event,
        { seq: base + index + 1, length: line.length },
        verdicts,
      );
  return verdicts;
}

async function publish(held: Held, snapshots: Snapshots, when: PublishTime): Promise<boolean> {
  const { database, warn } = held;
  try {
    held.reading = await snapshots.publish(held.reading, when);
    return true;
  } catch (cause) {
    if (warn === undefined || !(cause instanceof PlanError)) throw cause;
    const message = `what was changed is stored, but no snapshot of it: ${cause.message}`;
    warn({ code: 'NOT_PUBLISHED', message, file: database.location });
    return false;
  }
}

async function findPlan(database: Database, planId: string, from: 'view' | 'log'): Promise<PlanRow> {
  const { rows } = await database.query<PlanRow>(
    `select shelf = 'archive' as shelved, (select id from frctl_event where plan = $1 and seq = 1) as first,
       ${from === 'view' ? `${SNAPSHOT}, snapshot_seq::text` : 'null as snapshot, null as snapshot_seq'}
     from frctl_plan where id = $1`,
    [planId],
  );
  if (rows[0] === undefined) throw planNotFound(planId);
  return rows[0];
}

/** The events of a plan in their order. */
async function* eventsIn(database: Database, planId: string, upTo?: number): AsyncGenerator<PlanEvent> {
  for await (const page of readEventRows(database, PLAN_EVENTS, planId, upTo === undefined ? {} : { upTo }))
    for (const row of page) {
      const { line } = decodeRow(row);
      if ('event' in line) yield line.event;
    }
}

function stateOf({ reading, planId }: Pick<Held, 'reading' | 'planId'>): Plan {
  const { plan, damage } = reading;
  if (plan !== null) return plan;
  throw new PlanError(
    'STORE_DAMAGED',
    `what made the plan ${planId} cannot be read: ${damage[0]?.reason ?? 'it has no events'}`,
    {
      hint: ['Bring it back from a backup of the database.'],
      details: { plan: planId },
    },
  );
}

function outcomeOf(event: PlanEvent, verdicts: Verdicts, plan: Plan): Outcome {
  const { refused, before, after } = verdicts.get(event.id) ?? {
    refused: { code: 'not_in_log' } as const,
    before: null,
    after: null,
  };
  return { event, refused, before: before ?? plan, after: after ?? plan };
}
