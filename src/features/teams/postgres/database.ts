import { setTimeout as wait } from 'node:timers/promises';

import type { Client, Pool, PoolClient, QueryResultRow } from 'pg';

import type { PlanError } from '../../../kernel/errors.js';
import { databaseError, isLostConnection, isServerAway } from './database-errors.js';
import { guardClient } from './guard-client.js';
import { patiently } from './patience.js';
import type { Patience } from './patience.js';
import { createSessions, loadPg, sessionOptions } from './sessions.js';

const MOST_CONNECTIONS = 4;
/** So long an end is waited for; a server that is away says nothing. */
const CLOSE_MS = 5000;
interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name?: string | undefined;
  readonly answerMs?: number | undefined;
}
/** What a statement came to. */
interface Answer<Row> {
  readonly rows: readonly Row[];
  readonly count: number;
  /** Whether it was sent more than once, since an answer was lost: the first one may have done it. */
  readonly again: boolean;
}

/** One PostgreSQL database, with the tables of frctl in it. Nothing is connected before the first statement. */
export interface Database {
  /** Where it is, without password, for messages. */
  readonly location: string;

  /**
   * Runs one statement in a transaction of its own. It is sent again when the connection is lost, so it must come to the
   * same when it is done twice, or the caller look at `again`.
   * @param name of a statement that is run again and again, so that each connection has PostgreSQL prepare it once
   * @param answerMs how long it may take, where that may be longer than an answer takes elsewhere
   * @throws PlanError STORAGE_FAILED, INVALID_CONFIG, UNSUPPORTED_VERSION
   */
  query<Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
    name?: string,
    answerMs?: number,
  ): Promise<Answer<Row>>;

  /** A pool of connections of its own, which nobody looks at; for a library that wants one. Whoever asked for it ends it. */
  newPool(most: number): Promise<Pool>;

  /**
   * A connection of its own, outside the pool, whose tables are ready; whoever asked for it ends it.
   * @param prepare makes it fit for its use, on another connection once more when the first is lost
   * @throws PlanError as above; what `prepare` throws that is one
   */
  connect(prepare?: (client: Client) => Promise<void>): Promise<Client>;

  /** What went wrong on a connection, in words that hold no password. */
  explain(thrown: unknown): PlanError;

  /** Has somebody told, from now on, that the database cannot be reached, while it is tried again. */
  tellAway(tell: (message: string) => void): void;

  /** The name with which all events that are written in this database are stamped. @throws PlanError as above */
  replica(): Promise<string>;

  /** The time by the clock of the database, in milliseconds since 1970; null before the first statement. */
  now(): number | null;

  /** Tells what the clock of the database says just now. */
  noteTime(now: number): void;

  /**
   * Ends its connections once their statements are answered, or leaves them to end after a few seconds. Whoever has it may go
   * on: it connects again when it is asked something.
   */
  close(): Promise<void>;
}

const OPENED = new Map<string, WeakRef<Database>>();
/** Forgets the URL of what nobody uses any more. */
const UNUSED = new FinalizationRegistry<string>((url) => {
  if (OPENED.get(url)?.deref() === undefined) OPENED.delete(url);
});

/**
 * The database with a URL; one for each URL in a process. Its connections keep no process from ending.
 * @throws PlanError INVALID_CONFIG for what is no URL of PostgreSQL
 */
export function openDatabase(url: string): Database {
  const opened = OPENED.get(url)?.deref();
  if (opened !== undefined) return opened;
  const made = createDatabase(url);
  OPENED.set(url, new WeakRef(made));
  UNUSED.register(made, url);
  return made;
}

function createDatabase(url: string): Database {
  const sessions = createSessions(url);
  const { location } = sessions;
  let pool: Promise<Pool> | null = null;
  let tellAway: ((message: string) => void) | null = null;
  const underWay = new Set<Promise<unknown>>();
  const patience: Patience = {
    // Who was never connected, and finds nobody at all there, has most likely the wrong address.
    isWorthIt: (thrown) => (sessions.replica() === null ? isServerAway(thrown) : isLostConnection(thrown)),
    explain: (thrown, again) => databaseError(thrown, url, location, again),
    tell: (message) => tellAway?.(message),
  };

  return {
    location,
    query: (text, values = [], name?, answerMs?) =>
      patiently(patience, () => queryOnce({ text, values, name, answerMs })),
    newPool: (most) => newPool(url, most),
    async connect(prepare = async () => undefined) {
      const { client } = await patiently(patience, async () => ({ client: await connectFor(prepare) }));
      return client;
    },
    explain: (thrown) => databaseError(thrown, url, location),
    tellAway(tell) {
      tellAway = tell;
    },
    async replica() {
      if (sessions.replica() === null)
        await patiently(patience, () => queryOnce({ text: 'select 1', values: [] }));
      return sessions.replica() ?? '';
    },
    now: () => sessions.now(),
    noteTime: (now) => sessions.noteTime(now),
    async close() {
      const closing = pool;
      pool = null;
      if (closing !== null) await withinTime(endPool(closing, [...underWay]));
    },
  };

  async function connectFor(prepare: (client: Client) => Promise<void>): Promise<Client> {
    const client = await sessions.connect();
    try {
      await prepare(client);
      return client;
    } catch (cause) {
      void client.end().catch(() => undefined);
      throw cause;
    }
  }

  async function queryOnce<Row extends QueryResultRow>({
    text,
    values,
    name,
    answerMs,
  }: Statement): Promise<Pick<Answer<Row>, 'rows' | 'count'>> {
    const answered = (async () => {
      const client = await (await (pool ??= newPool(url, MOST_CONNECTIONS))).connect();
      return withClient(client, async () => {
        await sessions.prepare(client);
        const { rows, rowCount } = await client.query<Row>({
          text,
          values: [...values],
          ...(name === undefined ? {} : { name }),
          ...(answerMs === undefined ? {} : { query_timeout: answerMs }),
        });
        return { rows, count: rowCount ?? 0 };
      });
    })();
    underWay.add(answered);
    try {
      return await answered;
    } finally {
      underWay.delete(answered);
    }
  }
}

async function newPool(url: string, most: number): Promise<Pool> {
  const pg = await loadPg();
  const made = new pg.Pool({ ...sessionOptions(url), max: most, allowExitOnIdle: true });
  // A connection that breaks is made anew.
  made.on('error', () => undefined);
  made.on('connect', (client) => {
    client.on('error', () => undefined);
    guardClient(client);
  });
  return made;
}

/** Ends a pool after the statements that were given to it: one that ends gives nobody a connection who waits for it. */
async function endPool(pool: Promise<Pool>, underWay: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(underWay);
  await (await pool).end();
}

/** Waits for what ends by itself, but not for ever; what it comes to is nobody's business. */
async function withinTime(ending: Promise<void>): Promise<void> {
  const late = new AbortController();
  const limit = wait(CLOSE_MS, undefined, { signal: late.signal });
  await Promise.race([ending, limit]).catch(() => undefined);
  late.abort();
  limit.catch(() => undefined);
}

async function withClient<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work();
    client.release();
    return done;
  } catch (cause) {
    // Whatever went wrong, nobody else gets what is left of it.
    client.release(true);
    throw cause;
  }
}
