import type { StoreChange } from '../../../storage/plan-store.js';
import type { Database } from './database.js';
import { CHANNEL } from './event-table.js';
import { lastingConnection } from './lasting-connection.js';

/** So often somebody looks while nothing tells, and so long it takes to try again to be told. */
const LOOK_MS = 1000;

/**
 * Tells what changes in a database: PostgreSQL tells it, on a connection of its own. While that is broken it is told every
 * second that something may have changed, and it is made anew. Keeps no process from ending.
 * @returns what ends it
 */
export function listenForChanges(
  database: Pick<Database, 'connect'>,
  onChange: (change: StoreChange) => void,
): () => void {
  let isOver = false;
  const tell = (change: StoreChange) => {
    if (!isOver) onChange(change);
  };
  const listening = lastingConnection(database, {
    againMs: LOOK_MS,
    keepsProcess: false,
    async prepare(client) {
      client.on('notification', ({ payload }) => tell(changeOf(payload)));
      await client.query(`listen ${CHANNEL}`);
      // Whatever was written before it listened was told to nobody.
      tell({ kind: 'any' });
    },
  });
  const look = setInterval(() => {
    if (!listening.isReady) tell({ kind: 'any' });
  }, LOOK_MS);
  look.unref();
  return () => {
    isOver = true;
    clearInterval(look);
    void listening.close();
  };
}

function changeOf(payload: string | undefined): StoreChange {
  const [kind, id] = (payload ?? '').split(' ');
  return (kind === 'plan' || kind === 'run') && id !== undefined ? { kind, id } : { kind: 'any' };
}
