import type { Client } from 'pg';

import type { Database } from '../postgres/database.js';
import { ENGINE, RUN_TASK_NAME, TASK_NAME } from '../postgres/jobs/job-names.js';

/**
 * Frees what processes had in hand, and forgets them. What a worker of an older frctl had reserved of a budget is charged to that
 * account; calls of others stand in the logs of their plans.
 * @throws PlanError STORAGE_FAILED
 */
export async function giveUp(database: Database, processes: readonly string[]): Promise<void> {
  await database.query(
    `with gone as (delete from frctl_worker where process = any($1) returning pool),
      held as (delete from frctl_held where process = any($1) returning plan, calls, tokens, usd),
      charged as (
        update frctl_planning p set
          calls = p.calls + h.calls, tokens = p.tokens + h.tokens, usd = p.usd + h.usd,
          held_calls = p.held_calls - h.calls, held_tokens = p.held_tokens - h.tokens, held_usd = p.held_usd - h.usd
        from (select plan, sum(calls) calls, sum(tokens) tokens, sum(usd) usd from held group by plan) h
        where p.plan = h.plan),
      requests as (delete from frctl_request where process = any($1) returning model),
      left_over as (
        update frctl_model m set under_way = greatest(0, m.under_way - r.count)
        from (select model, count(*)::int as count from requests group by model) r where m.model = r.model)
     select ${ENGINE}.force_unlock_workers(pools), pg_notify('jobs:insert', '{"count":1000}')
     from (select array_agg(pool) pools from gone) all_gone where pools is not null`,
    [processes],
  );
}

/** What is in nobody's hand, and yet held: by processes, and by pools of the engine, that no member knows of. */
export interface Strays {
  readonly processes: readonly string[];
  readonly pools: readonly string[];
}

export const NO_STRAYS: Strays = { processes: [], pools: [] };

/**
 * Finds what is to be given up because it is held in a name that nobody has. A statement that a network has kept
 * back may come when its sender is known by another name, or has gone; then it takes a job, or room of a budget, for
 * nobody.
 */
export async function findStraysToGiveUp(client: Client): Promise<Strays> {
  const { rows } = await client.query<{ kind: 'process' | 'pool'; name: string }>(FIND);
  const named = (kind: 'process' | 'pool') => rows.filter((row) => row.kind === kind).map((row) => row.name);
  return { processes: named('process'), pools: named('pool') };
}

const FIND = `
select 'process' as kind, process as name
from (select process from frctl_held union select process from frctl_request) holders
where process not in (select process from frctl_worker)
union all
select distinct 'pool', locked_by from ${ENGINE}._private_jobs
where locked_by is not null and locked_by not in (select pool from frctl_worker)
  and task_id in (select id from ${ENGINE}._private_tasks where identifier in (${TASK_NAME}, ${RUN_TASK_NAME}))`;

/** What is to be given up of both: strays before that still are; one may just have got its name. */
export function straysFoundTwice(before: Strays, now: Strays): Strays {
  return {
    processes: now.processes.filter((one) => before.processes.includes(one)),
    pools: now.pools.filter((one) => before.pools.includes(one)),
  };
}

/** Frees the jobs of pools of the engine that are no more. @throws PlanError STORAGE_FAILED */
export async function giveUpJobsOf(database: Database, pools: readonly string[]): Promise<void> {
  await database.query(
    `select ${ENGINE}.force_unlock_workers($1), pg_notify('jobs:insert', '{"count":1000}')`,
    [pools],
  );
}
