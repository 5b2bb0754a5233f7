import type { Client } from 'pg';

import type { Database } from '../postgres/database.js';
import { answerInTime } from './answer-in-time.js';
import { findStraysToGiveUp, giveUpJobsOf, giveUp, NO_STRAYS, straysFoundTwice } from './give-up.js';
import { workerLockKey } from './worker-lock.js';

/** SQL for the lock of whoever looks after the dead. */
const LEADER_LOCK = `hashtextextended('frctl leader ' || current_schema(), 0)`;

/** One of all members looks after those that have died. */
export interface Recovery {
  /** Whether it is this one just now. */
  readonly leads: boolean;
  /**
   * Looks once. Whoever was missing twice is given up: it may be about to join again.
   * @throws when the database does not answer
   */
  look(own: { readonly client: Client; readonly process: string }, mayGiveUp: boolean): Promise<void>;
  /** Forgets what it has seen, and that it leads: its connection is lost. */
  forget(): void;
}

/** Makes what recovers the jobs and budgets of members that have died; one member at a time does so for all. */
export function createRecovery(database: Database): Recovery {
  let leads = false;
  let suspects: readonly string[] = [];
  let strays = NO_STRAYS;
  return {
    get leads() {
      return leads;
    },
    async look({ client, process }, mayGiveUp) {
      leads ||= await isTrue(client, `select pg_try_advisory_lock(${LEADER_LOCK}) as yes`);
      const missing = await answerInTime(leads ? missingBeside(client, process) : isThere(client));
      const dead = missing.filter((one) => suspects.includes(one));
      suspects = missing;
      if (mayGiveUp && dead.length > 0) await giveUp(database, dead);
      if (mayGiveUp && leads) await freeStrays(client);
    },
    forget() {
      leads = false;
      suspects = [];
      strays = NO_STRAYS;
    },
  };

  async function freeStrays(client: Client): Promise<void> {
    const found = await answerInTime(findStraysToGiveUp(client));
    const { processes, pools } = straysFoundTwice(strays, found);
    strays = found;
    if (processes.length > 0) await giveUp(database, processes);
    if (pools.length > 0) await giveUpJobsOf(database, pools);
  }
}

/** Asks the database for an answer; whoever does not lead needs no other. */
async function isThere(client: Client): Promise<readonly string[]> {
  await client.query('select 1');
  return [];
}

/** The other members whose locks nobody holds. */
async function missingBeside(client: Client, process: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ process: string }>(
    `select process from (select distinct process from frctl_worker where process <> $1) others
     where pg_try_advisory_xact_lock(${workerLockKey('process')})`,
    [process],
  );
  return rows.map((row) => row.process);
}

async function isTrue(client: Client, sql: string): Promise<boolean> {
  const { rows } = await answerInTime(client.query<{ yes: boolean }>(sql));
  return rows[0]?.yes === true;
}
