import type { Database } from '../postgres/database.js';
import { sqlStateOf } from '../postgres/database-errors.js';
import { workerLockKey } from './worker-lock.js';

/**
 * How many workers live. It takes no lock, which would be in the way of whoever gives up the dead.
 * @returns null where this user of the database may not know
 * @throws PlanError STORAGE_FAILED
 */
export async function liveWorkersIn(database: Database): Promise<number | null> {
  try {
    const { rows } = await database.query<{ living: number }>(LIVING);
    return rows[0]?.living ?? null;
  } catch (cause) {
    // Not permitted, or no such table: nothing else depends on the answer.
    if (sqlStateOf(cause) !== null) return null;
    throw cause;
  }
}

/** PostgreSQL shows the number of an advisory lock in two halves, and 1 as the third part. */
const LIVING = `
select count(*)::int as living from (select distinct process from frctl_worker) workers
where exists (
  select from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32 | objid::bigint) = ${workerLockKey('process')})`;
