import type { Diagnosis } from '../../../storage/maintenance.js';
import type { PlanStore, Stamp } from '../../../storage/plan-store.js';
import { encodeEvent } from '../../../storage/log/event-line.js';
import { lineFingerprint } from '../../../storage/log/checked-line.js';
import { MOST_ROW_BYTES } from './bounded-rows.js';
import type { Database } from './database.js';
import { PLAN_EVENTS } from './event-table.js';
import { decodeRow } from './plan-reading.js';
import { readEventRows } from './read-event-rows.js';
import type { NumberedRow } from './read-event-rows.js';

/** So long the database may take to move what is that long. */
const MOVE_MS = 600_000;
const CURE = '`plan doctor --fix` moves it to the table frctl_removed, where nothing reads it';

/** What mends the log of a plan in a database. */
export interface LogMending {
  readonly database: Database;
  readonly store: Pick<PlanStore, 'open' | 'location'>;
  readonly stamp: Stamp;
}

/**
 * The events of a plan whose rows are too long to be read, by their numbers. One that is taken away leaves an event in its
 * place that says so.
 * @throws PlanError STORAGE_FAILED
 */
export async function tooLongEvents(
  mending: LogMending,
  plan: string,
): Promise<ReadonlyMap<number, Diagnosis>> {
  const { database, store } = mending;
  const { rows } = await database.query<NumberedRow>(
    `select seq::float8, left(id, 64) as id, size, null as body
     from frctl_event where plan = $1 and size > ${MOST_ROW_BYTES}`,
    [plan],
  );
  return new Map(
    rows.map((row) => [
      row.seq,
      {
        code: 'ROW_TOO_LONG',
        severity: 'error',
        file: `${store.location}: plan ${plan}`,
        message: `event ${row.seq} cannot be read: ${tooLong('frctl_event', row.id, row.size)}`,
        ...(row.seq === 1
          ? { cure: unreadablePlanCure(plan) }
          : {
              cure: `${CURE}; what that event changed is lost to the plan`,
              mend: () => moveEvent(mending, plan, row),
            }),
      },
    ]),
  );
}

/** What helps where nothing of a plan can be read. */
export function unreadablePlanCure(plan: string): string {
  return `bring it back from a backup of the database; \`plan delete ${plan} --purge\` removes the plan`;
}

async function moveEvent({ database, store, stamp }: LogMending, plan: string, row: NumberedRow) {
  const line = await standIn({ database, stamp }, plan, row);
  const { count, again } = await database.query(
    `with gone as (
        select plan, seq, id, body from frctl_event where plan = $1 and seq = $2 and size > ${MOST_ROW_BYTES} for update),
      kept as (
        insert into frctl_removed (place, key, body)
        select 'frctl_event', json_build_object('plan', plan, 'seq', seq, 'id', id), body from gone)
     update frctl_event as event set body = $3::json from gone where event.plan = gone.plan and event.seq = gone.seq`,
    [plan, row.seq, line],
    undefined,
    MOVE_MS,
  );
  if (count === 0 && !again) return null;
  await (await store.open(plan, 'log')).publish('now');
  return 'moved it to the table frctl_removed; an event in its place says so';
}

/**
 * The event that stands in place of one that is taken away: by the same id, and where it was in the order, also in a copy
 * as files.
 */
async function standIn(
  { database, stamp }: Pick<LogMending, 'database' | 'stamp'>,
  plan: string,
  row: NumberedRow,
): Promise<string> {
  const { bytes, line: lost } = decodeRow(row);
  let place = { replica: 'unknown', clock: 1 };
  for await (const page of readEventRows(database, PLAN_EVENTS, plan, { upTo: row.seq - 1 }))
    for (const before of page) {
      const { line } = decodeRow(before);
      const { replica, clock } = 'event' in line ? line.event : (line.unknown ?? place);
      place = { replica, clock };
    }
  const { change: _change, ...stamped } = stamp();
  const reason = 'damage' in lost ? lost.damage : '';
  return encodeEvent({
    ...stamped,
    ...place,
    id: row.id,
    type: 'damage_accepted',
    damage: [{ mark: lineFingerprint(bytes), reason }],
    because: 'plan doctor took it away',
  }).slice(1, -1);
}

/** What holds bytes, and what each row of it is. */
const BYTES = [
  { table: 'frctl_action_plan', key: ['id'], name: 'the action plan' },
  { table: 'frctl_run_value', key: ['run', 'digest'], name: 'the output' },
] as const;

/** The action plans and outputs that are too long to be read. @throws PlanError STORAGE_FAILED */
export async function tooLongBytes(database: Database, location: string): Promise<readonly Diagnosis[]> {
  const found: Diagnosis[] = [];
  for (const { table, key, name } of BYTES) {
    const id = key.join(` || '/' || `);
    const { rows } = await database.query<{ id: string; size: number }>(
      `select left(${id}, 200) as id, octet_length(body)::float8 as size from ${table}
       where octet_length(body) > ${MOST_ROW_BYTES} order by 1`,
    );
    for (const row of rows)
      found.push({
        code: 'ROW_TOO_LONG',
        severity: 'error',
        file: location,
        message: `${name} ${row.id} cannot be read: ${tooLong(table, row.id, row.size)}`,
        cure: CURE,
        async mend() {
          const keys = key.map((column) => `'${column}', ${column}`).join(', ');
          const { count, again } = await database.query(
            `with gone as (delete from ${table} where ${id} = $1 and octet_length(body) > ${MOST_ROW_BYTES} returning *)
             insert into frctl_removed (place, key, bytes) select '${table}', json_build_object(${keys}), body from gone`,
            [row.id],
            undefined,
            MOVE_MS,
          );
          return count > 0 || again ? 'moved it to the table frctl_removed' : null;
        },
      });
  }
  return found;
}

function tooLong(table: string, id: string, size: number): string {
  return `its row in ${table} (id ${id}) has ${size} bytes; more than ${MOST_ROW_BYTES} are not read`;
}
