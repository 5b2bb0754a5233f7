import type { GoalJob } from '../../team.js';
import { ENGINE, goalJobKey, RUN_TASK_NAME, TASK_NAME } from './job-names.js';

/** The engine keeps priorities in 16 bits. */
const LAST_PRIORITY = 32_000;
/** So often a job may fail, or be taken by processes that then die, before whoever sweeps has it tried anew. */
const MOST_ATTEMPTS = 1000;

/**
 * SQL that enters jobs from a JSON array, each unless there is one of its key already, in hand or not. To be part of
 * a larger statement: jobs are entered in the one that stores what makes them necessary.
 * @param parameter the placeholder of the array, such as `$1`
 */
export function enqueueSql(parameter: string): string {
  return addingSql(parameter, `job_key_mode => 'unsafe_dedupe'`);
}

/** SQL that enters the jobs `$1` anew, to be done in `$2` milliseconds: one that is in hand does not count. */
export function rescheduleSql(): string {
  return addingSql('$1', `run_at => now() + $2::float8 * interval '1 millisecond'`);
}

function addingSql(parameter: string, how: string): string {
  return `select count(${ENGINE}.add_job(
    ${TASK_NAME}, job->'payload', job_key => ${goalJobKey("job->>'key'")}, priority => (job->>'priority')::int,
    max_attempts => ${MOST_ATTEMPTS}, ${how})) from json_array_elements(${parameter}::json) job`;
}

/** What that takes: the jobs as JSON. */
export function jobsAsJson(jobs: readonly GoalJob[]): string {
  return JSON.stringify(
    jobs.map((job) => ({
      payload: job,
      key: job.goal,
      priority: Math.min(job.turn, LAST_PRIORITY),
    })),
  );
}

/**
 * SQL that enters the job of the run `$1`, and notes that it is left to workers; to be part of a larger statement, after
 * `with`. A job that somebody has in hand already does not count: what is to be done is so after it.
 */
export function enqueueRunSql(): string {
  return `noted as (insert into frctl_left_run (run) select id from frctl_run where id = $1 on conflict do nothing),
    offered as materialized (
      select count(${ENGINE}.add_job(
        ${RUN_TASK_NAME}, json_build_object('run', id), job_key => ${goalJobKey('id')},
        max_attempts => ${MOST_ATTEMPTS}, flags => array[id])) from frctl_run where id = $1)`;
}
