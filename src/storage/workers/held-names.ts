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
    await client.query(KEEPALIVES);
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${LOCK}) as taken`, [
      name,
    ]);
    if (rows[0]?.taken !== true) {
      await client.end().catch(() => undefined);
      return null;
    }
    client.on('end', again);
    return client;
  }

  function again(): void {
    if (over) return;
    setTimeout(() => {
      // Whoever has taken it meanwhile keeps it: the log tells this process that its run was taken over.
      take().then((client) => {
        current = client;
        if (over) client?.end().catch(() => undefined);
      }, again);
    }, AGAIN_MS).unref();
  }
}

/** Whether some process holds a name. @throws PlanError STORAGE_FAILED */
export async function isNameHeld(database: Database, name: string): Promise<boolean> {
  const { rows } = await database.query<{ free: boolean }>(
    `select pg_try_advisory_xact_lock(${LOCK}) as free`,
    [name],
  );
  return rows[0]?.free !== true;
}

const LOCK = `hashtextextended('frctl held ' || current_schema() || ' ' || $1, 0)`;
