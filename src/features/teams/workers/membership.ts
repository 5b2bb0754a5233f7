import type { Client } from 'pg';

import type { Database } from '../postgres/database.js';
import { answerInTime } from './answer-in-time.js';
import { giveUpJobsOf, giveUp } from './give-up.js';
import { createRecovery } from './recovery.js';
import { workerLockKey } from './worker-lock.js';

/** How often a member looks whether others have died. One is given up the second time: it may be about to join again. */
const LOOK_EVERY_MS = 400;
/**
 * How long after it has joined a member gives up nobody. When PostgreSQL restarts, all members join again, each after a
 * pause of up to a second, and whoever is first must not take the others for dead.
 */
const QUIET_MS = 3000;
/**
 * How long after it got another name a member looks for what is written under a former one: a statement may be tried again
 * for some time with the name that it was begun with.
 */
const FORMER_MS = 60_000;
/**
 * SQL that has the database notice after 20 seconds that a machine has vanished without a word, also where it owes that
 * machine an answer: then no keepalives are sent. What the database, its user or the URL sets itself is left so.
 */
export const KEEPALIVES = `select set_config(name, value, false) from (values
    ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '2'),
    ('tcp_user_timeout', '20000')) as wanted (name, value)
  join pg_settings using (name) where source = 'default'`;

/** One process of a team, alive as long as its connection holds its lock. */
export interface Membership {
  /** Its name; another after its connection was lost. */
  readonly process: string;
  /** Whether it looks after the dead just now. */
  readonly leads: boolean;
  /** Writes down that a pool of the engine is this process's, and frees the jobs of those before it. To be called before the pool takes jobs. */
  own(pool: string): Promise<void>;
  /** Ends it: what it had in hand is free. */
  end(): Promise<void>;
}

export interface MembershipOptions {
  readonly database: Database;
  /** A name that no other process ever had. */
  readonly newProcess: () => string;
  /** `caller` is a name that it keeps, by which it enters its calls. */
  readonly about: {
    readonly host: string;
    readonly pid: number;
    readonly version: string;
    readonly caller?: string;
  };
  /** Told that it is no longer known to the others under its old name: what it had in hand was given to them. */
  readonly onLost: (why: string) => void;
}

/**
 * Begins the membership of a worker: it joins the team. PostgreSQL itself tells who is alive: each member holds an
 * advisory lock on a connection of its own, and one whose lock can be taken is dead. No clock of a machine and no
 * lease decides.
 * @throws PlanError STORAGE_FAILED
 */
export async function joinTeam(options: MembershipOptions): Promise<Membership> {
  const { database, newProcess, about, onLost } = options;
  let current = await enter(database, newProcess());
  let joinedAt = performance.now();
  /** All names under which the others may know it: more than one after a reentry whose answer was lost. */
  let names: readonly string[] = [current.process];
  const former = createFormerNames();
  const recovery = createRecovery(database);
  let ended = false;
  let looking: Promise<void> = Promise.resolve();
  let timer = setTimeout(look, LOOK_EVERY_MS);

  return {
    get process() {
      return current.process;
    },
    get leads() {
      return recovery.leads;
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
      // It may be getting another name just now.
      await looking;
      await leave(database, current.client, names);
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
    await former.takeOn(current);
    await recovery.look(current, performance.now() - joinedAt > QUIET_MS);
  }

  /**
   * Joins again under another name, and keeps what it had in hand unless the others have given it away. Whatever fails is
   * done again by the next look, which finds the connection of before.
   */
  async function reenter(cause: unknown): Promise<void> {
    if (ended) return;
    recovery.forget();
    current.client.end().catch(() => undefined);
    const next = await enter(database, newProcess());
    const before = names;
    names = [...before, next.process];
    const isKnown = await isStillKnown(next.client, before, next.process).catch((failed: unknown) => {
      next.client.end().catch(() => undefined);
      throw failed;
    });
    current = next;
    joinedAt = performance.now();
    names = [next.process];
    former.add(before);
    if (!isKnown && !ended) onLost(database.explain(cause).message);
  }
}

/** The former names of a member, for a while: what is written under them since it has another is its own. */
function createFormerNames() {
  const former: { readonly names: readonly string[]; readonly until: number }[] = [];
  return {
    add(names: readonly string[]): void {
      former.push({ names, until: performance.now() + FORMER_MS });
    },
    /** Gives its name of now to what stands under them. */
    async takeOn({ client, process }: { readonly client: Client; readonly process: string }): Promise<void> {
      while ((former[0]?.until ?? Infinity) < performance.now()) former.shift();
      if (former.length === 0) return;
      const names = former.flatMap((one) => one.names);
      await answerInTime(client.query(RENAME, [names, process]));
    },
  };
}

/** A connection that holds the lock of a process. @throws PlanError STORAGE_FAILED */
async function enter(
  database: Database,
  process: string,
): Promise<{ readonly client: Client; readonly process: string }> {
  const client = await database.connect(async (made) => {
    await made.query(KEEPALIVES);
    await made.query(`select pg_advisory_lock(${workerLockKey('$1')})`, [process]);
  });
  return { client, process };
}

async function leave(database: Database, client: Client, names: readonly string[]): Promise<void> {
  await giveUp(database, names).catch(() => undefined);
  await client.end().catch(() => undefined);
}

/** Writes down whose a pool of the engine is. A process has one at a time: those before it are over. */
async function writePool(
  database: Database,
  process: string,
  pool: string,
  { host, pid, version, caller }: MembershipOptions['about'],
): Promise<void> {
  const { rows } = await database.query<{ pool: string }>(
    `with former as (delete from frctl_worker where (pool = $2) <> (process = $1) returning pool),
       written as (
         insert into frctl_worker (process, pool, host, pid, version, caller) values ($1, $2, $3, $4, $5, $6) on conflict do nothing)
     select pool from former where pool <> $2`,
    [process, pool, host, pid, version, caller ?? null],
  );
  if (rows.length > 0)
    await giveUpJobsOf(
      database,
      rows.map((row) => row.pool),
    );
}

/** Gives a new name to what stands under former ones. */
const RENAME = `with held as (update frctl_held set process = $2 where process = any($1)),
    requests as (update frctl_request set process = $2 where process = any($1)),
    kept as (update frctl_worker set process = $2 where process = any($1) returning 1)
  select count(*)::int as kept from kept`;

/** Gives what a process has in hand its new name; false when the others have given it away. */
async function isStillKnown(client: Client, before: readonly string[], now: string): Promise<boolean> {
  const { rows } = await client.query<{ kept: number }>(RENAME, [before, now]);
  return rows[0]?.kept !== 0;
}
