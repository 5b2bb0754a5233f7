import type { Database } from '../postgres/database.js';
import type { Team } from '../team.js';
import { enqueueRunSql } from '../postgres/jobs/enqueue-jobs.js';
import { ENGINE, goalJobKey } from '../postgres/jobs/job-names.js';

/** The runs of action plans that are left to the workers of a database, and their jobs. */
export function queuedRunsIn(database: Database): Pick<Team, 'offerRun' | 'runs' | 'forgetRun'> {
  return {
    async offerRun(run) {
      await database.query(`with ${enqueueRunSql()} select count from offered`, [run]);
    },
    async runs() {
      const { rows } = await database.query<{ run: string; job: boolean }>(RUNS);
      return rows.map(({ run, job }) => ({ run, hasJob: job }));
    },
    async forgetRun(run) {
      // One that was left to them again meanwhile has a job.
      await database.query(`delete from frctl_left_run where run = $1 and not exists (${jobOf('run')})`, [
        run,
      ]);
    },
  };
}

function jobOf(run: string): string {
  return `select from ${ENGINE}._private_jobs where key = ${goalJobKey(run)}`;
}

/** The engine puts a job that failed off for longer and longer; what failed may be over by then. */
const RUNS = `
with soon as (
  update ${ENGINE}._private_jobs set run_at = now() + interval '1 second', attempts = 0
  where key in (select ${goalJobKey('run')} from frctl_left_run) and locked_at is null
    and (run_at > now() + interval '5 seconds' or not is_available))
select run, exists (${jobOf('run')}) as job from frctl_left_run order by run`;
