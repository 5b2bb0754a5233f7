import type { Database } from '../postgres/database.js';
import { ENGINE, RUN_TASK_NAME, TASK_NAME } from '../postgres/jobs/job-names.js';

/** Bytes of a job at most. A job names a goal or a run, and the error that it failed with may be long. */
const MOST_JOB_BYTES = 1_000_000;

/** SQL for whether a job is larger than any that is entered here. */
const IS_LARGE = `octet_length(payload::text) + coalesce(octet_length(last_error), 0)
  + coalesce(octet_length(flags::text), 0) > ${MOST_JOB_BYTES}`;

/** SQL that makes what finds such jobs without looking at the others. */
export const LARGE_JOBS_INDEX = `create index if not exists frctl_large_job on ${ENGINE}._private_jobs (id) where ${IS_LARGE}`;

/**
 * Removes the jobs of this project that are too large for the process that would take them. What is to be done gets another.
 * @throws PlanError STORAGE_FAILED
 */
export async function dropLargeJobs(database: Database): Promise<void> {
  await database.query(
    `delete from ${ENGINE}._private_jobs where ${IS_LARGE}
     and task_id in (select id from ${ENGINE}._private_tasks where identifier in (${TASK_NAME}, ${RUN_TASK_NAME}))`,
  );
}
