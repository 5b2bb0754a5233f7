import { setTimeout as wait } from 'node:timers/promises';

import type { Database } from '../postgres/database.js';
import { COMMAND, giveUp } from './give-up.js';
import { lockHeldSql } from './lock-held.js';
import { workerLockKey } from './worker-lock.js';

/** So long a worker that has no lock may be about to join again, as after a restart of PostgreSQL. */
const JOINING_MS = 2500;

/** The plans with calls that nobody is at any more, whose logs do not say what those have used. @throws PlanError STORAGE_FAILED */
export async function plansWithLostCalls(database: Database): Promise<readonly string[]> {
  const { rows } = await database.query<{ plan: string }>(
    'select distinct left(plan, 200) as plan from frctl_held where lost and logged is null',
  );
  return rows.map(({ plan }) => plan);
}

/**
 * Gives up the workers that have calls for a plan and do not live: where none is left, nobody else sees to it. Most plans have
 * none, and then nothing is waited for.
 * @throws PlanError STORAGE_FAILED
 */
export async function giveUpDead(database: Database, plan: string): Promise<void> {
  const before = await deadWorkers(database, plan);
  if (before.length === 0) return;
  await wait(JOINING_MS);
  const still = await deadWorkers(database, plan);
  const dead = still.filter((process) => before.includes(process));
  if (dead.length > 0) await giveUp(database, dead);
}

async function deadWorkers(database: Database, plan: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ process: string }>(
    `select process from (
       select distinct process from frctl_held
       where plan = $1 and not lost and logged is null and not process like '${COMMAND}%') holders
     where not ${lockHeldSql(workerLockKey('process'))}`,
    [plan],
  );
  return rows.map(({ process }) => process);
}
