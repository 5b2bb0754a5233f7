import * as z from 'zod';

import { PlanError } from '../../../kernel/errors.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { PLAN_ID_PATTERN } from '../../../plan/ids.js';
import { RUN_ID_PATTERN } from '../../../plan/run-ids.js';
import { enqueueRunSql, enqueueSql } from './jobs/enqueue-jobs.js';
import { hasNoEngine } from './jobs/job-names.js';
import type { Database } from './database.js';
import { isUniqueViolation, sqlStateOf } from './database-errors.js';

/** The tables of a kind of logs: one with a row for each log, and one with a row for each event. */
export interface EventTable {
  readonly logs: 'frctl_plan' | 'frctl_run';
  readonly events: 'frctl_event' | 'frctl_run_event';
  /** What an event calls its log. */
  readonly owner: 'plan' | 'run';
}

export const PLAN_EVENTS: EventTable = { logs: 'frctl_plan', events: 'frctl_event', owner: 'plan' };
export const RUN_EVENTS: EventTable = { logs: 'frctl_run', events: 'frctl_run_event', owner: 'run' };

/** SQL for whether a row of plans, or of runs, can be one: no command takes another id, and no log is written by one. */
export const IS_PLAN_ID = `id ~ '${PLAN_ID_PATTERN.source}'`;
export const IS_RUN_ID = `id ~ '${RUN_ID_PATTERN.source}'`;

/** Says of a row of plans or runs that no command reaches it. */
export function strayLog({ logs, owner }: EventTable, id: string): string {
  return `a row of ${logs} has an id that no ${owner} has: ${JSON.stringify(truncate(id, 80))}`;
}

/** More events than any log will have, far enough below what cannot be counted with that others can follow. */
export const MOST_EVENTS = 2 ** 52;
/** SQL for whether a number can be that of an event, or of all of a log. */
export const IS_COUNTED = `seq between 1 and ${MOST_EVENTS}`;

/** The channel on which it is told that logs have changed: `plan 0398a958`. */
export const CHANNEL = 'frctl';

/** An event as it is kept: the line of a log in a file, without its newlines. */
export interface EventRow {
  readonly id: string;
  readonly body: string;
}

const appendedSchema = z.object({ base: z.string().transform(Number), now: z.number() });

/**
 * Appends events to a log in one statement, whatever was written there meanwhile: the row of the log gives them their number
 * and is locked for that statement alone. Should an answer be lost, they are written once all the same.
 * @param first the id of the log's first event: another log of that name is another
 * @param jobs what workers are to do because of the events, entered in the same statement where the database lets it be:
 *   jobs for goals of a plan, `run` for a run; null where nothing is
 * @returns the number of the last event before them; null when there is no such log any more
 * @throws PlanError STORE_DAMAGED where the log counts what cannot be: then nothing is written; STORAGE_FAILED: then it is
 *   not known whether they were written
 */
export async function appendEventRows(
  database: Database,
  table: EventTable,
  log: { readonly id: string; readonly first: string },
  rows: readonly EventRow[],
  jobs: string | null = null,
): Promise<number | null> {
  const values = [log.id, log.first, rows.map(({ id }) => id), rows.map(({ body }) => body)];
  try {
    const { rows: answer, again } = await database.query(
      appendStatement(table, offering(table, jobs)),
      jobs === null || table === RUN_EVENTS ? values : [...values, jobs],
      `frctl append ${table.owner}${jobs === null ? '' : ' with jobs'}`,
    );
    if (answer[0] === undefined) {
      await refuseMiscounted(database, table, log);
      return again ? await baseOf(database, table, log.id, rows) : null;
    }
    const { base, now } = appendedSchema.parse(answer[0]);
    database.noteTime(now);
    return base;
  } catch (cause) {
    // It was sent again, and the first one had been written.
    if (isUniqueViolation(cause, table.events)) return baseOf(database, table, log.id, rows);
    // A job is only a hint: whoever sweeps finds what waits without one.
    if (jobs !== null && refusesJobs(cause)) return appendEventRows(database, table, log, rows);
    throw cause;
  }
}

/** Events that follow such a count would get numbers under which nobody reads them. @throws PlanError STORE_DAMAGED */
async function refuseMiscounted(
  database: Database,
  { logs, owner }: EventTable,
  { id }: { readonly id: string },
): Promise<void> {
  const { rows } = await database.query<{ seq: string }>(
    `select seq::text from ${logs} where id = $1 and not (${IS_COUNTED})`,
    [id],
  );
  if (rows[0] === undefined) return;
  const message = `the ${owner} ${id} counts ${rows[0].seq} events, as none can: nothing can be added to it`;
  throw new PlanError('STORE_DAMAGED', message, {
    hint: ['`plan doctor --fix` counts them again.'],
    details: { [owner]: id },
  });
}

/** What enters the jobs, to be part of the statement; null where there are none. */
function offering(table: EventTable, jobs: string | null): string | null {
  if (jobs === null) return null;
  return table === RUN_EVENTS ? enqueueRunSql() : `offered as materialized (${enqueueSql('$5')})`;
}

/** The jobs come first, so that the row of the log is not locked meanwhile. */
function appendStatement({ logs, events, owner }: EventTable, offered: string | null): string {
  return `with ${offered === null ? '' : `${offered}, `}log as (
      update ${logs} set seq = seq + cardinality($3::text[])
      where id = $1 and ${IS_COUNTED} and exists (select from ${events} where ${owner} = $1 and seq = 1 and id = $2)
        ${offered !== null ? 'and (select count from offered) is not null' : ''}
      returning seq - cardinality($3::text[]) as base),
    written as (
      insert into ${events} (${owner}, seq, id, body)
      select $1, log.base + row.place, row.id, row.body::json
      from log, unnest($3::text[], $4::text[]) with ordinality as row (id, body, place))
    select base::text, (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      pg_notify('${CHANNEL}', '${owner} ' || $1) from log`;
}

async function baseOf(
  database: Database,
  { events, owner }: EventTable,
  log: string,
  rows: readonly EventRow[],
): Promise<number | null> {
  const found = await database.query<{ seq: string }>(
    `select seq::text from ${events} where ${owner} = $1 and id = $2`,
    [log, rows[0]?.id ?? ''],
  );
  return found.rows[0] === undefined ? null : Number(found.rows[0].seq) - 1;
}

/** Whether the jobs may be why a statement was refused: the engine has no tables, or this user may not write to them. */
function refusesJobs(thrown: unknown): boolean {
  const refusal = sqlStateOf(thrown);
  return hasNoEngine(refusal) || refusal === '42501';
}

/**
 * Makes a log with its first events in the table, or not at all.
 * @param columns further columns of the log's row, with their values
 * @returns false when there is a log of that name
 * @throws PlanError STORAGE_FAILED
 */
export async function createEventRows(
  database: Database,
  table: EventTable,
  log: string,
  rows: readonly EventRow[],
  columns: Readonly<Record<string, string | number | null>> = {},
): Promise<boolean> {
  const { logs, events, owner } = table;
  const names = Object.keys(columns);
  const more = names.map((name) => `, ${name}`).join('');
  const parameters = names.map((_, index) => `, $${index + 4}`).join('');
  const { count, again } = await database.query(
    `with log as (
        insert into ${logs} (id, seq${more}) values ($1, cardinality($2::text[])${parameters})
        on conflict do nothing returning id),
      written as (
        insert into ${events} (${owner}, seq, id, body)
        select log.id, row.place, row.id, row.body::json
        from log, unnest($2::text[], $3::text[]) with ordinality as row (id, body, place))
      select pg_notify('${CHANNEL}', '${owner} ' || id) from log`,
    [log, rows.map(({ id }) => id), rows.map(({ body }) => body), ...Object.values(columns)],
  );
  return count > 0 || (again && (await baseOf(database, table, log, rows)) === 0);
}

/** Deletes a log for good from the table, with its events. @returns false when there is none */
export async function deleteEventRows(
  database: Database,
  { logs, owner }: EventTable,
  log: string,
): Promise<boolean> {
  const { count, again } = await database.query(
    `with gone as (delete from ${logs} where id = $1 returning id)
     select pg_notify('${CHANNEL}', '${owner} ' || id) from gone`,
    [log],
  );
  return count > 0 || again;
}

/**
 * Puts events in rows at the end of a log that has so many of them now.
 * @returns false when it has not
 * @throws PlanError STORAGE_FAILED
 */
export async function writeEventRowsAfter(
  database: Database,
  table: EventTable,
  { id, after }: { readonly id: string; readonly after: number },
  rows: readonly EventRow[],
): Promise<boolean> {
  const { logs, events, owner } = table;
  const { count, again } = await database.query(
    `with log as (
        update ${logs} set seq = seq + cardinality($3::text[]) where id = $1 and seq = $2 returning id),
      written as (
        insert into ${events} (${owner}, seq, id, body)
        select $1, $2 + row.place, row.id, row.body::json
        from log, unnest($3::text[], $4::text[]) with ordinality as row (id, body, place))
      select pg_notify('${CHANNEL}', '${owner} ' || id) from log`,
    [id, after, rows.map((row) => row.id), rows.map(({ body }) => body)],
  );
  return count > 0 || (again && (await baseOf(database, table, id, rows)) === after);
}
