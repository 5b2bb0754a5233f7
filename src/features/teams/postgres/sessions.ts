import type { Client, ClientBase } from 'pg';
import * as z from 'zod';

import { PlanError } from '../../../kernel/errors.js';
import { locationOf } from './database-url.js';
import { guardClient } from './guard-client.js';
import { refuseTransactionPooling } from './pooler.js';
import { readySchema } from './schema.js';

/** After so long without an answer the network is taken to be cut. */
const ANSWER_MS = 30_000;
const CONNECT_MS = 10_000;
/** How far the clock of the database may be from where it was thought to be before it is looked at anew. */
const CLOCK_MS = 250;

/** Connections to one database, and what was learnt of it when they were made. */
export interface Sessions {
  /** Where it is, without password, for messages. */
  readonly location: string;
  /** Looks at what a new connection leads to, and makes the tables ready; one that was looked at is not looked at again. */
  prepare(client: ClientBase): Promise<void>;
  /** A connection of its own that is prepared; whoever asked for it ends it. */
  connect(): Promise<Client>;
  /** The name with which all events that are written here are stamped; null before the first connection. */
  replica(): string | null;
  /** The time by the clock of the database, in milliseconds since 1970; null before the first connection. */
  now(): number | null;
  /** Tells what that clock says just now. */
  noteTime(now: number): void;
}

/** @throws PlanError INVALID_CONFIG for what is no URL of PostgreSQL */
export function createSessions(url: string): Sessions {
  const location = locationOf(url);
  const ready = new WeakSet<ClientBase>();
  let name: string | null = null;
  let clock: { readonly at: number; readonly now: number } | null = null;
  let isPoolerChecked = false;
  const now = () => (clock === null ? null : clock.now + performance.now() - clock.at);

  return {
    location,
    prepare,
    async connect() {
      const client = await connected(url);
      try {
        await prepare(client);
        return client;
      } catch (cause) {
        void client.end().catch(() => undefined);
        throw cause;
      }
    },
    replica: () => name,
    now,
    noteTime(told) {
      if (Math.abs((now() ?? -Infinity) - told) > CLOCK_MS) clock = { at: performance.now(), now: told };
    },
  };

  async function prepare(client: ClientBase): Promise<void> {
    if (ready.has(client)) return;
    const begun = performance.now();
    const { rows } = await client.query(SESSION);
    const session = sessionSchema.parse(rows[0]);
    clock = { at: (begun + performance.now()) / 2, now: session.now };
    if (session.encoding !== 'UTF8') throw notUtf8(location, session.encoding);
    // PostgreSQL itself tells the number of its process when it is connected to; a pooler tells one of its own.
    if (!isPoolerChecked && processOf(client) !== session.pid)
      await refuseTransactionPooling(client, () => connected(url), location);
    isPoolerChecked = true;
    name = await readySchema(client, session.made, location);
    ready.add(client);
  }
}

async function connected(url: string): Promise<Client> {
  const client = new (await loadPg()).Client(sessionOptions(url));
  client.on('error', () => undefined);
  await client.connect();
  guardClient(client);
  return client;
}

const SESSION = `select pg_backend_pid() as pid, current_setting('server_encoding') as encoding,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as now, to_regclass('frctl_schema') is not null as made`;
const sessionSchema = z.object({
  pid: z.int(),
  encoding: z.string(),
  now: z.number(),
  made: z.boolean(),
});

/** What every connection is made with. */
export function sessionOptions(url: string) {
  return {
    connectionString: url,
    application_name: 'frctl',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
  };
}

/**
 * Loads `pg`, by which sessions with PostgreSQL are opened, where plans are kept there, and nowhere else.
 * @throws PlanError INVALID_CONFIG when it is missing
 */
export async function loadPg() {
  try {
    return (await import('pg')).default;
  } catch (cause) {
    throw new PlanError(
      'INVALID_CONFIG',
      'plans are kept in PostgreSQL here, and the package pg is missing',
      {
        hint: {
          commandLine:
            'Install it beside frctl: `npm install pg`, or `npm install --global pg` where frctl is installed so.',
        },
        cause,
      },
    );
  }
}

function processOf(client: ClientBase): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null;
}

function notUtf8(location: string, encoding: string): PlanError {
  return new PlanError('INVALID_CONFIG', `the database ${location} has the encoding ${encoding}, not UTF8`, {
    hint: { commandLine: 'Make another: `createdb --encoding UTF8 --template template0 frctl`.' },
    details: { database: location, encoding },
  });
}
