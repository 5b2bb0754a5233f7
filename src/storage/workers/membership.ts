import type { Client } from 'pg';

import type { Database } from '../postgres/database.js';
import { ENGINE } from './tables.js';

/** How often a member looks whether others have died. One is given up the second time: it may be about to join again. */
const LOOK_EVERY_MS = 400;
/** How long the database may leave a member without an answer before it is taken to be out of reach. */
const ANSWER_MS = 10_000;
/**
 * How long after it has joined a member gives up nobody. When PostgreSQL restarts, all members join again, each after a
 * pause of up to a second, and whoever is first must not take the others for dead.
 */
const QUIET_MS = 3000;
/** SQL for the lock of whoever looks after the dead. */
const LEADER_LOCK = `hashtextextended('frctl leader ' || current_schema(), 0)`;

/** SQL that has the database notice after 20 seconds that a machine has vanished without a word. */
export const KEEPALIVES =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 2';

/** One process of a team, alive as long as its connection holds its lock. */
export interface Membership {
  /** Its name; another after its connection was lost. */
  readonly process: string;
  /** Whether it looks after the dead just now. */
  readonly leads: boolean;
  /** Writes down that a pool of the engine is this process's. To be called before the pool takes jobs. */
  own(pool: string): Promise<void>;
  /** Ends it: what it had in hand is free. */
  end(): Promise<void>;
}

export interface MembershipOptions {
  readonly database: Database;
  /** A name that no other process ever had. */
  readonly newProcess: () => string;
  readonly about: { readonly host: string; readonly pid: number; readonly version: string };
  /** Told that it is no longer known to the others under its old name: what it had in hand was given to them. */
  readonly onLost: (why: string) => void;
}

/**
 * Joins the team. PostgreSQL itself tells who is alive: each member holds an advisory lock on a connection of its own,
 * and one whose lock can be taken is dead. No clock of a machine and no lease decides.
 * @throws PlanError STORAGE_FAILED
 */
export async function joinTeam(options: MembershipOptions): Promise<Membership> {
  const { database, newProcess, about, onLost } = options;
  let current = await enter(database, newProcess());
  let joinedAt = performance.now();
  /** All names under which the others may know it: more than one after a reentry whose answer was lost. */
  let names: readonly string[] = [current.process];
  let leads = false;
  let suspects: readonly string[] = [];
  let ended = false;
  let looking: Promise<void> = Promise.resolve();
  let timer = setTimeout(look, LOOK_EVERY_MS);

  return {
    get process() {
      return current.process;
    },
    get leads() {
      return leads;
    },
    async own(pool) {
      let process: string;
      do {
        ({ process } = current);
        await writePool(database, process, pool, about);
        // It may have got another name meanwhile, too early for this row.
        await looking;
      } while (process !== current.process);
    },
    async end() {
      ended = true;
      clearTimeout(timer);
      await leave(database, current);
    },
  };

  function look(): void {
    looking = lookOnce()
      .catch(reenter)
      // The next look tries again.
      .catch(() => undefined)
      .finally(() => {
        if (!ended) timer = setTimeout(look, LOOK_EVERY_MS);
      });
  }

  async function lookOnce(): Promise<void> {
    const { client, process } = current;
    const mayGiveUp = performance.now() - joinedAt > QUIET_MS;
    leads ||= await isTrue(client, `select pg_try_advisory_lock(${LEADER_LOCK}) as yes`);
    const missing = await answered(leads ? missingBeside(client, process) : isThere(client));
    const dead = missing.filter((one) => suspects.includes(one));
    suspects = missing;
    if (mayGiveUp && dead.length > 0) await giveUp(database, dead);
  }

  /**
   * Joins again under another name, and keeps what it had in hand unless the others have given it away. Whatever fails is
   * done again by the next look, which finds the connection of before.
   */
  async function reenter(cause: unknown): Promise<void> {
    if (ended) return;
    leads = false;
    suspects = [];
    current.client.end().catch(() => undefined);
    const next = await enter(database, newProcess());
    const former = names;
    names = [...former, next.process];
    const isKnown = await isStillKnown(next.client, former, next.process).catch((failed: unknown) => {
      next.client.end().catch(() => undefined);
      throw failed;
    });
    current = next;
    joinedAt = performance.now();
    names = [next.process];
    if (!isKnown) onLost(cause instanceof Error ? cause.message : String(cause));
  }
}

/** A connection that holds the lock of a process. @throws PlanError STORAGE_FAILED */
async function enter(
  database: Database,
  process: string,
): Promise<{ readonly client: Client; readonly process: string }> {
  const client = await database.connect();
  try {
    await client.query(KEEPALIVES);
    await client.query(`select pg_advisory_lock(${lockOf('$1')})`, [process]);
    return { client, process };
  } catch (cause) {
    client.end().catch(() => undefined);
    throw cause;
  }
}

/** Asks the database for an answer; whoever does not lead needs no other. */
async function isThere(client: Client): Promise<readonly string[]> {
  await client.query('select 1');
  return [];
}

async function leave(
  database: Database,
  { client, process }: { readonly client: Client; readonly process: string },
): Promise<void> {
  await giveUp(database, [process]).catch(() => undefined);
  await client.end().catch(() => undefined);
}

/** Writes down whose a pool of the engine is. */
async function writePool(
  database: Database,
  process: string,
  pool: string,
  { host, pid, version }: MembershipOptions['about'],
): Promise<void> {
  await database.query(
    `with former as (delete from frctl_worker where pool = $2 and process <> $1)
     insert into frctl_worker (process, pool, host, pid, version) values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [process, pool, host, pid, version],
  );
}

/** The other members whose locks nobody holds. */
async function missingBeside(client: Client, process: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ process: string }>(
    `select process from (select distinct process from frctl_worker where process <> $1) others
     where pg_try_advisory_xact_lock(${lockOf('process')})`,
    [process],
  );
  return rows.map((row) => row.process);
}

/** Gives what a process has in hand its new name; false when the others have given it away. */
async function isStillKnown(client: Client, before: readonly string[], now: string): Promise<boolean> {
  const { rows } = await client.query<{ kept: number }>(
    `with held as (update frctl_held set process = $2 where process = any($1)),
       requests as (update frctl_request set process = $2 where process = any($1)),
       kept as (update frctl_worker set process = $2 where process = any($1) returning 1)
     select count(*)::int as kept from kept`,
    [before, now],
  );
  return rows[0]?.kept !== 0;
}

/** Frees what processes had in hand, and forgets them. What their calls may have cost is charged to the budgets. */
async function giveUp(database: Database, processes: readonly string[]): Promise<void> {
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

/** The key of a process's lock. */
function lockOf(name: string): string {
  return `hashtextextended('frctl worker ' || ${name}, 0)`;
}

async function isTrue(client: Client, sql: string): Promise<boolean> {
  const { rows } = await answered(client.query<{ yes: boolean }>(sql));
  return rows[0]?.yes === true;
}

async function answered<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the database does not answer')), ANSWER_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
