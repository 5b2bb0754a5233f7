import type { ClientBase } from 'pg';
import * as z from 'zod';

import { PlanError } from '../../../kernel/errors.js';
import { STEPS } from './table-steps.js';

/** The version of the tables that this program makes and writes. */
const VERSION = STEPS.length;
/** The oldest version of this program's tables whose reader can still work with them as they are now. */
const OLDEST = 1;
/** Whoever changes the tables holds this lock; any number will do that nobody else takes. */
const MIGRATION_LOCK = 7_305_810_218;
/** So long it may take: every row may have to be written anew. */
const MIGRATION_MS = 600_000;

const rowSchema = z.object({ version: z.int(), oldest: z.int(), replica: z.string().min(1).max(64) });

/**
 * Makes the tables, or brings them up to date; one process does, the others wait for it.
 * @param isThere whether there are any
 * @returns the name with which all events that are written here are stamped, so that their number is their order
 * @throws PlanError UNSUPPORTED_VERSION when a newer frctl made them; whatever PostgreSQL refuses
 */
export async function readySchema(client: ClientBase, isThere: boolean, location: string): Promise<string> {
  const found = isThere ? await readVersion(client) : null;
  if (found !== null && found.version >= VERSION) return usable(found, location);
  // Of the session, not of the transaction: what others have made meanwhile is seen by one that begins afterwards.
  await client.query(patient(`select pg_advisory_lock(${MIGRATION_LOCK})`));
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
    for (const step of STEPS.slice(before)) await client.query(patient(step));
    if (before < VERSION)
      await client.query('update frctl_schema set version = $1, oldest = $2', [VERSION, OLDEST]);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback').catch(() => undefined);
    throw cause;
  }
}

function patient(text: string) {
  return { text, query_timeout: MIGRATION_MS };
}

async function readVersion(client: ClientBase): Promise<z.infer<typeof rowSchema>> {
  const { rows } = await client.query(
    'select version, oldest, left(replica, 65) as replica from frctl_schema',
  );
  const row = rowSchema.safeParse(rows[0]);
  if (row.success) return row.data;
  throw new PlanError('STORE_DAMAGED', 'the table frctl_schema does not say which version the tables have', {
    hint: ['Bring it back from a backup of the database.'],
  });
}

function usable({ version, oldest, replica }: z.infer<typeof rowSchema>, location: string): string {
  if (oldest <= VERSION) return replica;
  throw new PlanError(
    'UNSUPPORTED_VERSION',
    `the tables in ${location} have version ${version}; this frctl works with version ${VERSION}`,
    {
      hint: ['Update frctl to the version that made them. Nothing was changed.'],
      details: { version, known: VERSION },
    },
  );
}
