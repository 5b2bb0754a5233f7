import { PlanError } from '../../../kernel/errors.js';
import type { Database } from '../postgres/database.js';
import { sqlStateOf } from '../postgres/database-errors.js';
import type { Team } from '../team.js';
import { jobsAsJson, enqueueSql, rescheduleSql } from '../postgres/jobs/enqueue-jobs.js';
import { ENGINE, hasNoEngine, goalJobKey } from '../postgres/jobs/job-names.js';

interface Counted extends Record<string, unknown> {
  readonly in_hand: number;
  readonly waiting: number;
  readonly hidden: boolean;
}

/** The jobs of the goals of plans. */
export function goalJobsIn(database: Database): Pick<Team, 'offer' | 'putOff' | 'jobsOf' | 'hasten'> {
  return {
    async offer(jobs) {
      if (jobs.length > 0) await database.query(enqueueSql('$1'), [jobsAsJson(jobs)]);
    },
    async putOff(job, delayMs) {
      await database.query(rescheduleSql(), [jobsAsJson([job]), delayMs]);
    },
    async jobsOf(planId) {
      const { in_hand: inHand, waiting, hidden } = await count(database, planId);
      if (hidden) throw hiddenJobs(database);
      return { inHand, waiting };
    },
    async hasten(planId) {
      await database.query(HASTEN, [`${planId}-`]);
    },
  };
}

/** What is said where the jobs of goals are hidden from a user of the database, as the engine's tables are. */
export function hiddenJobs({ location }: Pick<Database, 'location'>): PlanError {
  return new PlanError(
    'INVALID_CONFIG',
    `this user of ${location} is shown no jobs of workers: others own their tables`,
    {
      hint: [
        'Connect as the owner of the tables, or as a member of that role (docs/teams.md, “Several users of the database”).',
      ],
      details: { database: location },
    },
  );
}

/** The error where there are no tables for workers yet, and this user may not make them. */
export function mayNotPrepare({ location }: Pick<Database, 'location'>): PlanError {
  return new PlanError(
    'INVALID_CONFIG',
    `this user of ${location} may not make the tables of workers, which are not there yet`,
    {
      hint: [
        'Start a worker once as the owner of the other tables, or as a member of that role (docs/teams.md, “Several users of the database”).',
      ],
      details: { database: location },
    },
  );
}

async function count(database: Database, planId: string): Promise<Counted> {
  try {
    const { rows } = await database.query<Counted>(COUNT, [`${planId}-`]);
    return rows[0] ?? NONE;
  } catch (cause) {
    const refusal = sqlStateOf(cause);
    if (hasNoEngine(refusal)) return NONE;
    if (refusal === NOT_PERMITTED) throw hiddenJobs(database);
    throw cause;
  }
}

const NOT_PERMITTED = '42501';
const NONE: Counted = { in_hand: 0, waiting: 0, hidden: false };

/** The jobs of a plan: between two keys, by the order of an index. No text that goes on comes after that character. */
const OF_PLAN = `key ~>=~ (${goalJobKey('$1::text')}) and key ~<~ (${goalJobKey('$1::text')} || chr(1114111))`;

const COUNT = `
select count(locked_at)::int as in_hand, count(*)::int - count(locked_at)::int as waiting,
  row_security_active('${ENGINE}._private_jobs') as hidden
from ${ENGINE}._private_jobs where ${OF_PLAN}`;

const HASTEN = `
update ${ENGINE}._private_jobs set run_at = now() + interval '1 second', attempts = 0
where ${OF_PLAN} and locked_at is null and (run_at > now() + interval '5 seconds' or not is_available)`;
