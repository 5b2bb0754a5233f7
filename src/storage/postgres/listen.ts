import type { Client } from 'pg';

import type { StoreChange } from '../plan-store.js';
import type { Database } from './database.js';
import { CHANNEL } from './event-table.js';

/** So often somebody looks while nothing tells, and so long it takes to try again to be told. */
const LOOK_MS = 1000;

/**
 * Tells what changes in a database: PostgreSQL tells it, on a connection of its own. While that is broken it is told every
 * second that something may have changed, and it is made anew. Keeps no process from ending.
 * @returns what ends it
 */
export function listenForChanges(database: Database, onChange: (change: StoreChange) => void): () => void {
  let listening: Client | null = null;
  let isTrying = false;
  let isOver = false;
  const tell = (change: StoreChange) => {
    if (!isOver) onChange(change);
  };

  const listen = async (): Promise<void> => {
    if (isTrying || isOver || listening !== null) return;
    isTrying = true;
    try {
      const client = await database.connect();
      client.on('notification', ({ payload }) => tell(changeOf(payload)));
      client.on('end', () => {
        if (listening === client) listening = null;
      });
      await client.query(`listen ${CHANNEL}`);
      if (isOver) return end(client);
      unref(client);
      listening = client;
      // Whatever was written before it listened was told to nobody.
      tell({ kind: 'any' });
    } catch {
      // It is tried again, and looked until then.
    } finally {
      isTrying = false;
    }
  };

  const look = setInterval(() => {
    if (listening !== null) return;
    tell({ kind: 'any' });
    void listen();
  }, LOOK_MS);
  look.unref();
  void listen();
  return () => {
    isOver = true;
    clearInterval(look);
    if (listening !== null) end(listening);
    listening = null;
  };
}

/** The types of pg leave this out. */
function unref(client: Client & { readonly unref?: () => void }): void {
  client.unref?.();
}

function end(client: Client): void {
  void client.end().catch(() => undefined);
}

function changeOf(payload: string | undefined): StoreChange {
  const [kind, id] = (payload ?? '').split(' ');
  return (kind === 'plan' || kind === 'run') && id !== undefined ? { kind, id } : { kind: 'any' };
}
