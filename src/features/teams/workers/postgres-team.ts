import type { Database } from '../postgres/database.js';
import type { Team } from '../team.js';
import { callersIn } from './callers.js';
import { goalJobsIn } from './goal-jobs.js';
import { sharedRateLimitOf } from './shared-rate-limit.js';
import type { Membership, MembershipOptions } from './membership.js';
import { lockName, isNameLocked } from './locked-names.js';
import { queuedRunsIn } from './queued-run-ids.js';
import { liveWorkersIn } from './live-workers.js';
import { prepareTeam } from './prepare-team.js';
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
  const caller = newProcess();

  return {
    prepare: () => prepareTeam(database),
    work: (work) =>
      workForTeam(work, {
        database,
        newProcess,
        about: { ...about, caller },
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
        // No id is longer, whatever stands there.
        `select plan, left(run, 200) as run from frctl_planning where run <> '' order by started_at`,
      );
      return rows;
    },
    ...queuedRunsIn(database),
    hold: (name) => lockName(database, name),
    isHeld: (name) => isNameLocked(database, name),
    living: () => liveWorkersIn(database),
    caller,
    callers: () => callersIn(database),
    async secondsOf(planId) {
      const { rows } = await database.query<{ seconds: number }>(
        `select extract(epoch from clock_timestamp() - started_at)::float8 as seconds from frctl_planning where plan = $1`,
        [planId],
      );
      return rows[0]?.seconds ?? 0;
    },
    rateLimit: (model, limits) => sharedRateLimitOf(database, model, limits, { process, closed }),
  };
}
