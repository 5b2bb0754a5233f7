import { PlanError } from '../../../kernel/errors.js';
import type { Database } from '../postgres/database.js';
import { lastingConnection } from '../postgres/lasting-connection.js';
import { lockHeldSql } from './lock-held.js';
import { KEEPALIVES } from './membership.js';

/** How long before a lost connection is made anew. */
const AGAIN_MS = 500;

/**
 * Holds a name with an advisory lock on a connection of its own, which PostgreSQL ends with the process. It is taken again
 * when the connection is lost and the process lives. The server may not have noticed yet that the lost one is gone, so
 * that it holds the lock still: then it is tried again. Where another process has taken it meanwhile, the log tells this
 * one that its run was taken over.
 * @returns lets it go; null when another process holds it
 * @throws PlanError STORAGE_FAILED
 */
export async function lockName(database: Database, name: string): Promise<(() => Promise<void>) | null> {
  const held = lastingConnection(database, {
    againMs: AGAIN_MS,
    async prepare(client) {
      await client.query(KEEPALIVES);
      const { rows } = await client.query<{ taken: boolean }>(
        `select pg_try_advisory_lock(${LOCK}) as taken`,
        [name],
      );
      if (rows[0]?.taken !== true) throw new PlanError('RUN_BUSY', `another process holds ${name}`);
    },
  });
  try {
    await held.first;
  } catch (cause) {
    await held.close();
    if (cause instanceof PlanError && cause.code === 'RUN_BUSY') return null;
    throw cause;
  }
  return () => held.close();
}

/** Whether some process holds a name. It takes no lock, which would be in the way of whoever wants to hold the name. @throws PlanError STORAGE_FAILED */
export async function isNameLocked(database: Database, name: string): Promise<boolean> {
  const { rows } = await database.query<{ held: boolean }>(`select ${lockHeldSql(LOCK)} as held`, [name]);
  return rows[0]?.held === true;
}

const LOCK = `hashtextextended('frctl held ' || current_schema() || ' ' || $1, 0)`;
