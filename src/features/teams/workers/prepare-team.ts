import type { Client } from 'pg';

import type { Database } from '../postgres/database.js';
import { ENGINE } from '../postgres/jobs/job-names.js';
import { prepareEngine } from './engine.js';
import { hiddenJobs, mayNotPrepare } from './goal-jobs.js';
import { LARGE_JOBS_INDEX } from './large-jobs.js';

/**
 * Makes the tables of the engine, and what finds the jobs of a plan in them.
 * @throws PlanError INVALID_CONFIG for a user of the database who may not, STORAGE_FAILED
 */
export async function prepareTeam(database: Database): Promise<void> {
  // Whoever may not look into a schema is refused its names, also where he only asks whether they are there.
  const { rows } = await database.query<{ made: boolean; hidden: boolean; refused: boolean }>(
    `select to_regnamespace('${ENGINE}') is not null as made,
       to_regnamespace('${ENGINE}') is null and not has_database_privilege(current_database(), 'create') as refused,
       case when to_regnamespace('${ENGINE}') is null then false
         when not has_schema_privilege('${ENGINE}', 'usage') then true
         else coalesce(row_security_active(to_regclass('${ENGINE}._private_jobs')), false) end as hidden`,
  );
  if (rows[0]?.hidden === true) throw hiddenJobs(database);
  if (rows[0]?.refused === true) throw mayNotPrepare(database);
  const isMade = rows[0]?.made === true;
  // Broken off, it is begun anew as a whole.
  const client = await database.connect((locked) => makeTables(database, locked, isMade));
  await client.end().catch(() => undefined);
}

/** Who makes the same tables at once is in the other's way: one does, the others wait for its lock. */
async function makeTables(database: Database, locked: Client, isMade: boolean): Promise<void> {
  await locked.query(`select pg_advisory_lock(hashtextextended('frctl engine', 0))`);
  // Not left to the engine, whose error would not name the cure.
  if (!isMade) await locked.query(`create schema if not exists ${ENGINE}`);
  const pool = await database.newPool(1);
  try {
    await prepareEngine(pool);
  } finally {
    await pool.end();
  }
  const { rows } = await locked.query<{ missing: boolean }>(
    `select to_regclass('${ENGINE}.frctl_job_key') is null or to_regclass('${ENGINE}.frctl_large_job') is null as missing`,
  );
  if (rows[0]?.missing !== true) return;
  await locked.query(
    `create index if not exists frctl_job_key on ${ENGINE}._private_jobs (key text_pattern_ops)`,
  );
  await locked.query(LARGE_JOBS_INDEX);
}
