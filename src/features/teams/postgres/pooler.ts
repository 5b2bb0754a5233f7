import type { Client, ClientBase } from 'pg';

import { PlanError } from '../../../kernel/errors.js';

/** Other programs may use the pool meanwhile and take the connection that is looked for. */
const MOST_LOOKS = 10;
const PATIENCE_MS = 3000;

/**
 * Refuses a pooler that gives each transaction whatever connection is free: what listens or holds a lock needs a session of
 * its own. Two clients that are served by one process of the server at once show it.
 * @param second connects once more
 * @throws PlanError INVALID_CONFIG
 */
export async function refuseTransactionPooling(
  first: ClientBase,
  second: () => Promise<Client>,
  location: string,
): Promise<void> {
  const opening = second();
  const other = await orTimeout(opening);
  if (other === null) {
    // It may come later, and nobody waits for it then.
    opening.then((late) => late.end()).catch(() => undefined);
    throw sharesSessions(location);
  }
  try {
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const mine = await processOf(first);
      await orTimeout(other.query('begin'));
      const taken = await processOf(other);
      const still = await processOf(first);
      if (mine === null || taken === mine || still !== mine) throw sharesSessions(location);
      await orTimeout(other.query('rollback'));
    }
  } finally {
    void other.end().catch(() => undefined);
  }
}

/** The process of the server that serves a client now; null when the pool has none left for it. */
async function processOf(client: ClientBase): Promise<number | null> {
  const answer = await orTimeout(client.query<{ pid: number }>('select pg_backend_pid() as pid'));
  return answer?.rows[0]?.pid ?? null;
}

async function orTimeout<T>(work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function sharesSessions(location: string): PlanError {
  return new PlanError(
    'INVALID_CONFIG',
    `${location} is a connection pooler that hands out connections by transaction; frctl needs a session of its own`,
    {
      hint: ['Name PostgreSQL itself in FRCTL_DATABASE_URL, or a pool with pool_mode = session.'],
      details: { database: location },
    },
  );
}
