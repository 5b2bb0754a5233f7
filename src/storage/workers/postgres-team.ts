import type { Database } from '../postgres/database.js';
import type { Team } from '../team.js';
import { prepareEngine } from './engine.js';
import { laneOf } from './lane.js';
import { ledgerOf } from './ledger.js';
import type { Membership, MembershipOptions } from './membership.js';
import { holdName, isNameHeld } from './held-names.js';
import { turnOf } from './jobs-of-events.js';
import { leftRunsIn } from './left-runs.js';
import { offeredJobs, offeringSql } from './offer-jobs.js';
import { ENGINE, keyOf } from './tables.js';
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
    async prepare() {
      const pool = await database.newPool(1);
      try {
        await prepareEngine(pool);
      } finally {
        await pool.end();
      }
    },
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
    async offer(jobs) {
      if (jobs.length > 0) await database.query(offeringSql('$1'), [offeredJobs(jobs)]);
    },
    // The engine puts a job that failed off for longer and longer; what failed may be over by then.
    async jobsOf(planId) {
      const { rows } = await database.query<{ in_hand: number; waiting: number }>(
        `with soon as (
           update ${ENGINE}._private_jobs set run_at = now() + interval '1 second', attempts = 0
           where starts_with(key, ${keyOf('$1::text')}) and locked_at is null
             and (run_at > now() + interval '5 seconds' or not is_available))
         select count(locked_at)::int as in_hand, count(*)::int - count(locked_at)::int as waiting
         from ${ENGINE}._private_jobs where starts_with(key, ${keyOf('$1::text')})`,
        [`${planId}-`],
      );
      return { inHand: rows[0]?.in_hand ?? 0, waiting: rows[0]?.waiting ?? 0 };
    },
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
    hold: (name) => holdName(database, name),
    isHeld: (name) => isNameHeld(database, name),
    turnOf,
    ledger: (planId) => ledgerOf(database, planId, process),
    lane: (model, limits) => laneOf(database, model, limits, { process, closed }),
    close: () => database.close(),
  };
}
