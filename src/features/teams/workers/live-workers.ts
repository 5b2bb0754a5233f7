import type { Database } from '../postgres/database.js';
import { sqlStateOf } from '../postgres/database-errors.js';
import { lockHeldSql } from './lock-held.js';
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

const LIVING = `
select count(*)::int as living from (select distinct process from frctl_worker) workers
where ${lockHeldSql(workerLockKey('process'))}`;
