import type { Client } from 'pg';

import type { Database } from '../postgres/database.js';
import { KEEPALIVES } from './membership.js';

/** How long before a lost connection is made anew. */
const AGAIN_MS = 500;

/**
 * Holds a name with an advisory lock on a connection of its own, which PostgreSQL ends with the process. It is taken again
 * when the connection is lost and the process lives.
 * @returns lets it go; null when another process holds it
 * @throws PlanError STORAGE_FAILED
 */
export async function holdName(database: Database, name: string): Promise<(() => Promise<void>) | null> {
  let over = false;
  let current: Client | null = await take();
  if (current === null) return null;
  return async () => {
    over = true;
    await current?.end().catch(() => undefined);
  };

  async function take(): Promise<Client | null> {
    const client = await database.connect();
    let taken = false;
    try {
      await client.query(KEEPALIVES);
      const { rows } = await client.query<{ taken: boolean }>(
        `select pg_try_advisory_lock(${LOCK}) as taken`,
        [name],
      );
      taken = rows[0]?.taken === true;
    } finally {
      if (!taken) client.end().catch(() => undefined);
    }
    if (!taken) return null;
    client.on('end', again);
    return client;
  }

  function again(): void {
    if (over) return;
    setTimeout(() => {
      take().then((client) => {
        current = client;
        if (over) client?.end().catch(() => undefined);
        // The server may not have noticed yet that the lost connection is gone, so that it holds the lock still. Where
        // another process has taken it meanwhile, the log tells this one that its run was taken over.
        else if (client === null) again();
      }, again);
    }, AGAIN_MS).unref();
  }
}

/** Whether some process holds a name. It takes no lock, which would be in the way of whoever wants to hold the name. @throws PlanError STORAGE_FAILED */
export async function isNameHeld(database: Database, name: string): Promise<boolean> {
  // PostgreSQL shows the number of an advisory lock in two halves, and 1 as the third part.
  const { rows } = await database.query<{ held: boolean }>(
    `select exists (
       select from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
         and database = (select oid from pg_database where datname = current_database())
         and (classid::bigint << 32 | objid::bigint) = ${LOCK}) as held`,
    [name],
  );
  return rows[0]?.held === true;
}

const LOCK = `hashtextextended('frctl held ' || current_schema() || ' ' || $1, 0)`;
