import type { Pool } from 'pg';

import { ENGINE } from '../postgres/jobs/job-names.js';
import type { TakenJob, TakenJobs } from './taken-jobs.js';

/** How soon it is looked for lost jobs when an answer may have been lost. */
const SOON_MS = 1000;
/** The longest pause between two such looks: what a network has kept back may take a job later. */
const LONGEST_MS = 60_000;

/** Frees what a pool of the engine holds and never got. */
export interface LostJobs {
  /** An answer may have been lost just now. */
  hurry(): void;
  /** Looks no more; a look that is under way ends by itself. */
  stop(): void;
}

interface HeldJob extends TakenJob {
  /** The same as `locked_at`, to the last digit. */
  readonly since: string;
}

/**
 * Looks again and again whether a pool of the engine holds jobs in the database that no answer has brought to it, nor will,
 * and frees them. While the pool lives nobody else may: only it knows what it has in hand.
 * @param name of the pool of the engine
 */
export function freeLostJobs(pool: Pool, name: string, taken: TakenJobs): LostJobs {
  let pause = SOON_MS;
  let isOver = false;
  let isHurried = false;
  let isLooking = false;
  let timer: NodeJS.Timeout | undefined;
  wait();
  return {
    hurry() {
      isHurried = true;
      // One that is due as soon is not put off.
      if (isLooking || pause === SOON_MS) return;
      pause = SOON_MS;
      wait();
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };

  function wait(): void {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(look, pause).unref();
  }

  function look(): void {
    isHurried = false;
    isLooking = true;
    void lookOnce()
      // The next look tries again.
      .catch(() => true)
      .then((isSoon) => {
        isLooking = false;
        pause = isSoon || isHurried ? SOON_MS : Math.min(2 * pause, LONGEST_MS);
        wait();
      });
  }

  /** @returns whether to look again soon */
  async function lookOnce(): Promise<boolean> {
    const judge = taken.compare();
    const { rows } = await pool.query<HeldJob>(HELD, [name]);
    const { lost, isUnsure } = judge(rows);
    if (lost.length > 0)
      await pool.query(FREE, [name, lost.map(({ id }) => id), lost.map(({ since }) => since)]);
    return isUnsure;
  }
}

const HELD = `select id, locked_at, locked_at::text as since from ${ENGINE}._private_jobs where locked_by = $1`;

const FREE = `
with freed as (
  update ${ENGINE}._private_jobs as jobs set locked_at = null, locked_by = null
  from unnest($2::bigint[], $3::timestamptz[]) as lost (id, since)
  where jobs.id = lost.id and jobs.locked_by = $1 and jobs.locked_at = lost.since
  returning 1)
select pg_notify('jobs:insert', json_build_object('count', count(*))::text) from freed`;
