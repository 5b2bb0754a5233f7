import type { ClientBase } from 'pg';
import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { RUN_TABLES, TABLES } from '../workers/tables.js';

/** The version of the tables that this program makes and writes. */
const VERSION = 3;
/** The oldest version of this program's tables whose reader can still work with them as they are now. */
const OLDEST = 1;
/** Whoever changes the tables holds this lock; any number will do that nobody else takes. */
const MIGRATION_LOCK = 7_305_810_218;

/**
 * What brings the tables from each version to the next. `json` keeps an event as the text that it is, so that a log goes
 * to a file and back byte for byte; `bytea` keeps any text.
 */
const STEPS: readonly string[] = [
  `create table frctl_schema (version int not null, oldest int not null, replica text not null);
   insert into frctl_schema select 0, 0, 'pg-' || substr(md5(random()::text || clock_timestamp()::text), 1, 8);
   create table frctl_plan (
     id text primary key, shelf text not null default 'active', seq bigint not null default 0,
     summary json not null, snapshot text, snapshot_seq bigint);
   create table frctl_event (
     plan text not null references frctl_plan on delete cascade, seq bigint not null, id text not null,
     body json not null, primary key (plan, seq), unique (plan, id));
   create table frctl_action_plan (id text primary key, body bytea not null);
   create table frctl_run (id text primary key, seq bigint not null default 0);
   create table frctl_run_event (
     run text not null references frctl_run on delete cascade, seq bigint not null, id text not null,
     body json not null, primary key (run, seq), unique (run, id));
   create table frctl_run_value (
     run text not null references frctl_run on delete cascade, digest text not null, body bytea not null,
     primary key (run, digest));
   create table frctl_lock (name text primary key, run text not null);`,
  TABLES,
  RUN_TABLES,
];

const rowSchema = z.object({ version: z.int(), oldest: z.int(), replica: z.string() });

/**
 * Makes the tables, or brings them up to date; one process does, the others wait for it.
 * @param isThere whether there are any
 * @returns the name with which all events that are written here are stamped, so that their place is their order
 * @throws PlanError UNSUPPORTED_VERSION when a newer frctl made them; whatever PostgreSQL refuses
 */
export async function readySchema(client: ClientBase, isThere: boolean, location: string): Promise<string> {
  const found = isThere ? await readVersion(client) : null;
  if (found !== null && found.version >= VERSION) return usable(found, location);
  // Of the session, not of the transaction: what others have made meanwhile is seen by one that begins afterwards.
  await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
  try {
    await migrate(client);
  } finally {
    await client.query(`select pg_advisory_unlock(${MIGRATION_LOCK})`).catch(() => undefined);
  }
  return usable(await readVersion(client), location);
}

async function migrate(client: ClientBase): Promise<void> {
  await client.query('begin');
  try {
    const { rows } = await client.query<{ made: boolean }>(
      `select to_regclass('frctl_schema') is not null as made`,
    );
    const before = rows[0]?.made === true ? (await readVersion(client)).version : 0;
    for (const step of STEPS.slice(before)) await client.query(step);
    if (before < VERSION)
      await client.query('update frctl_schema set version = $1, oldest = $2', [VERSION, OLDEST]);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback').catch(() => undefined);
    throw cause;
  }
}

async function readVersion(client: ClientBase): Promise<z.infer<typeof rowSchema>> {
  const { rows } = await client.query('select version, oldest, replica from frctl_schema');
  return rowSchema.parse(rows[0]);
}

function usable({ version, oldest, replica }: z.infer<typeof rowSchema>, location: string): string {
  if (oldest <= VERSION) return replica;
  throw new PlanError(
    'UNSUPPORTED_VERSION',
    `the tables in ${location} have version ${version}; this frctl works with version ${VERSION}`,
    {
      hint: 'Update frctl to the version that made them. Nothing was changed.',
      details: { version, known: VERSION },
    },
  );
}
