import type { EventType, PlanEvent } from '../../../plan/events.js';
import { fixedGoals } from '../../../plan/goals.js';
import { countGoals } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import { isOf } from '../../../storage/log/goal-named.js';
import { readPublished } from '../../../storage/log/published-snapshot.js';
import type { Damage, RecentEvents } from '../../../storage/plan-store.js';
import { planNotFound } from '../../../storage/plan-store-errors.js';
import { boundedPageSql, MOST_ROW_BYTES, readBoundedPages } from './bounded-rows.js';
import type { Database } from './database.js';
import { PLAN_EVENTS } from './event-table.js';
import { decodeRow } from './plan-reading.js';
import { EVENT_COLUMNS, readEventRows } from './read-event-rows.js';
import type { NumberedRow } from './read-event-rows.js';
import { SNAPSHOT } from './snapshot.js';

/** Reads the plan of a snapshot that holds the whole log; null where there is none. */
export async function viewPlan(database: Database, planId: string): Promise<Plan | null> {
  const { rows } = await database.query<{ snapshot: string | null }>(
    `select ${SNAPSHOT} from frctl_plan where id = $1 and snapshot_seq = seq`,
    [planId],
  );
  const text = rows[0]?.snapshot ?? null;
  const published = text === null ? null : readPublished(Buffer.from(text));
  if (published === null || published.header.id !== planId) return null;
  const { header, goals } = published;
  return { header, goals: fixedGoals(goals), counts: countGoals(goals.values()) };
}

/** Reads what of the log of a plan is no event that can be read. */
export async function readPlanDamage(database: Database, planId: string): Promise<readonly Damage[]> {
  const { damageOf } = await import('../../../storage/log/line-damage.js');
  const found: Damage[] = [];
  for await (const page of readEventRows(database, PLAN_EVENTS, planId))
    for (const row of page) {
      const { bytes, line } = decodeRow(row);
      if ('event' in line) continue;
      const { kind, mark, reason } = damageOf({ bytes, offset: 0 }, line);
      found.push({ kind, line: row.seq, mark, reason });
    }
  return found;
}

/**
 * The events of a type that name a goal as theirs. The database looks for both as they are, for it reads no JSON in which a
 * text has the character U+0000.
 */
export async function readEventsOfGoal(
  database: Database,
  planId: string,
  { type, goal }: { readonly type: EventType; readonly goal: string },
): Promise<readonly PlanEvent[]> {
  const pages = readBoundedPages<NumberedRow>(database, {
    columns: EVENT_COLUMNS,
    order: 'seq',
    from: (limit) => `select seq, id, size, body from frctl_event where plan = $1 and seq > $2
      and size <= ${MOST_ROW_BYTES} and strpos(body::text, $3) > 0 and strpos(body::text, $4) > 0 order by seq limit ${limit}`,
    values: (last) => [planId, last?.seq ?? 0, type, goal],
    name: null,
  });
  const events: PlanEvent[] = [];
  for await (const page of pages)
    for (const event of eventsIn(page)) if (isOf(event, type, goal)) events.push(event);
  if (events.length === 0) await refuseMissing(database, planId);
  return events;
}

/** Reads the last events of the log of a plan, by their numbers in it; fewer where they are long. */
export async function readLastRows(
  database: Database,
  planId: string,
  { count, before }: { readonly count: number; readonly before?: number | undefined },
): Promise<RecentEvents> {
  const from =
    'select seq, id, size, body from frctl_event where plan = $1 and seq < $2 order by seq desc limit $3';
  const { rows } = await database.query<NumberedRow>(
    boundedPageSql({ columns: EVENT_COLUMNS, from, order: 'seq desc' }),
    [planId, before ?? Number.MAX_SAFE_INTEGER, count],
  );
  if (rows.length === 0) await refuseMissing(database, planId);
  const first = rows.at(-1)?.seq ?? 1;
  return { events: eventsIn(rows.toReversed()), before: first > 1 ? first : null };
}

/** @throws PlanError PLAN_NOT_FOUND */
async function refuseMissing(database: Database, planId: string): Promise<void> {
  const { count } = await database.query('select from frctl_plan where id = $1', [planId]);
  if (count === 0) throw planNotFound(planId);
}

function eventsIn(rows: readonly NumberedRow[]): readonly PlanEvent[] {
  return rows.flatMap((row) => {
    const { line } = decodeRow(row);
    return 'event' in line ? [line.event] : [];
  });
}
