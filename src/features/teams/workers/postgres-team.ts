import type { Database } from '../postgres/database.js';
import type { Team } from '../team.js';
import { prepareEngine } from './engine.js';
import { goalJobsIn, hiddenJobs, mayNotPrepare } from './goal-jobs.js';
import { laneOf } from './lane.js';
import { ledgerOf } from './ledger.js';
import type { Membership, MembershipOptions } from './membership.js';
import { lockName, isNameLocked } from './locked-names.js';
import { leftRunsIn } from './left-runs.js';
import { liveWorkersIn } from './live-workers.js';
import { ENGINE } from '../postgres/jobs/job-names.js';
import { workForTeam } from './work-for-team.js';

export interface TeamOptions {
  readonly database: Database;
  /** A name that no other process ever had. */
  readonly newProcess: () => string;
  readonly about: MembershipOptions['about'];
}

/** The team of one database, with graphile-worker as the engine of its jobs. */
export function createTeam({ database, newProcess, about }: TeamOptions): Team {
  const closed = new Map<string, number>();
  let member: Membership | null = null;
  const process = () => member?.process ?? 'nobody';

  return {
    prepare: () => prepareTeam(database),
    work: (work) =>
      workForTeam(work, {
        database,
        newProcess,
        about,
        closed,
        onJoined: (joined) => {
          member = joined;
        },
      }),
    ...goalJobsIn(database),
    async begin(planId, run) {
      await database.query(
        `insert into frctl_planning (plan, run)
         select $1, $2 where not exists (select from frctl_planning where plan = $1 and run = $2)
         on conflict (plan) do update set run = $2, started_at = clock_timestamp() where frctl_planning.run <> $2`,
        [planId, run],
      );
    },
    async end(planId, run) {
      await database.query(`update frctl_planning set run = '' where plan = $1 and run = $2`, [planId, run]);
    },
    async forget(planId) {
      await database.query(`delete from frctl_planning where plan = $1`, [planId]);
    },
    async plans() {
      const { rows } = await database.query<{ plan: string; run: string }>(
        `select plan, run from frctl_planning where run <> '' order by started_at`,
      );
      return rows;
    },
    ...leftRunsIn(database),
    hold: (name) => lockName(database, name),
    isHeld: (name) => isNameLocked(database, name),
    living: () => liveWorkersIn(database),
    ledger: (planId) => ledgerOf(database, planId, process),
    lane: (model, limits) => laneOf(database, model, limits, { process, closed }),
  };
}

/** Makes the tables of the engine, and what finds the jobs of a plan in them. */
async function prepareTeam(database: Database): Promise<void> {
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
  // Who makes the same tables at once is in the other's way: one does, the others wait.
  const locked = await database.connect();
  try {
    await locked.query(`select pg_advisory_lock(hashtextextended('frctl engine', 0))`);
    // Not left to the engine, whose error would not name the cure.
    if (rows[0]?.made !== true) await database.query(`create schema if not exists ${ENGINE}`);
    const pool = await database.newPool(1);
    try {
      await prepareEngine(pool);
    } finally {
      await pool.end();
    }
    const index = await database.query(
      `select from pg_class where oid = to_regclass('${ENGINE}.frctl_job_key')`,
    );
    if (index.count === 0)
      await database.query(
        `create index if not exists frctl_job_key on ${ENGINE}._private_jobs (key text_pattern_ops)`,
      );
  } finally {
    await locked.end().catch(() => undefined);
  }
}
