import type { EventType, PlanEvent } from '../../../plan/events.js';
import { fixedGoals } from '../../../plan/goals.js';
import { countGoals } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import { isOf } from '../../../storage/log/goal-named.js';
import { readPublished } from '../../../storage/log/published-snapshot.js';
import type { Damage, RecentEvents } from '../../../storage/plan-store.js';
import { planNotFound } from '../../../storage/plan-store-errors.js';
import type { Database } from './database.js';
import { PLAN_EVENTS, readEventRows } from './event-table.js';
import type { NumberedRow } from './event-table.js';
import { decodeRow } from './plan-reading.js';

/** Reads the plan of a snapshot that holds the whole log; null where there is none. */
export async function viewPlan(database: Database, planId: string): Promise<Plan | null> {
  const { rows } = await database.query<{ snapshot: string }>(
    'select snapshot from frctl_plan where id = $1 and snapshot_seq = seq',
    [planId],
  );
  const published = rows[0] === undefined ? null : readPublished(Buffer.from(rows[0].snapshot));
  if (published === null || published.header.id !== planId) return null;
  const { header, goals } = published;
  return { header, goals: fixedGoals(goals), counts: countGoals(goals.values()) };
}

/** Reads what of the log of a plan is no event that can be read. */
export async function readPlanDamage(database: Database, planId: string): Promise<readonly Damage[]> {
  const { damageOf } = await import('../../../storage/log/line-damage.js');
  const found: Damage[] = [];
  for await (const page of readEventRows(database, PLAN_EVENTS, planId))
    for (const { seq, body } of page) {
      const line = decodeRow(body);
      if ('event' in line) continue;
      const bytes = Buffer.from(body);
      const { kind, mark, reason } = damageOf({ bytes, offset: 0 }, line);
      found.push({ kind, line: seq, mark, reason });
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
  const rows = await rowsOf(
    database,
    planId,
    `select seq::text, body::text from frctl_event as row
     where plan = $1 and strpos(body::text, $2) > 0 and strpos(body::text, $3) > 0 order by row.seq`,
    [type, goal],
  );
  return eventsIn(rows).filter((event) => isOf(event, type, goal));
}

/** Reads the last events of the log of a plan, by their numbers in it. */
export async function readLastRows(
  database: Database,
  planId: string,
  { count, before }: { readonly count: number; readonly before?: number | undefined },
): Promise<RecentEvents> {
  const rows = await rowsOf(
    database,
    planId,
    `select seq::text, body::text from frctl_event as row where plan = $1 and seq < $2 order by row.seq desc limit $3`,
    [before ?? Number.MAX_SAFE_INTEGER, count],
  );
  const first = rows.at(-1)?.seq ?? 1;
  return { events: eventsIn(rows.toReversed()), before: first > 1 ? first : null };
}

/** @throws PlanError PLAN_NOT_FOUND */
async function rowsOf(
  database: Database,
  planId: string,
  statement: string,
  values: readonly unknown[],
): Promise<readonly NumberedRow[]> {
  const { rows } = await database.query<{ seq: string; body: string }>(statement, [planId, ...values]);
  if (rows.length === 0) {
    const { count } = await database.query('select from frctl_plan where id = $1', [planId]);
    if (count === 0) throw planNotFound(planId);
  }
  return rows.map(({ seq, body }) => ({ seq: Number(seq), body }));
}

function eventsIn(rows: readonly NumberedRow[]): readonly PlanEvent[] {
  return rows.flatMap(({ body }) => {
    const line = decodeRow(body);
    return 'event' in line ? [line.event] : [];
  });
}
