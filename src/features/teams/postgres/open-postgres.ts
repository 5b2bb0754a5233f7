import type { Maintenance } from '../../../storage/maintenance.js';
import type { PlanStore } from '../../../storage/plan-store.js';
import type { RunStore } from '../../runs/storage/run-store.js';
import type { StoreContents } from '../copy/store-contents.js';
import { openDatabase } from './database.js';
import type { Database } from './database.js';
import { createPostgresStore } from './postgres-store.js';
import type { PostgresStoreOptions } from './postgres-store.js';

/** All that is kept in a PostgreSQL database, each part loaded when it is asked for. */
export interface OpenPostgres {
  /** What workers share is in there too. */
  readonly database: Database;
  readonly store: PlanStore;
  /** The time by the clock of the database, in milliseconds since 1970; null before it was asked anything. */
  readonly now: () => number | null;
  readonly runs: () => Promise<RunStore>;
  readonly maintenance: () => Promise<Maintenance>;
  readonly contents: () => Promise<StoreContents>;
}

/** Opens a database. Nothing is connected before something is asked. @throws PlanError INVALID_CONFIG for what is no URL of PostgreSQL */
export function openPostgres(options: PostgresStoreOptions): OpenPostgres {
  const { url, stamp, warn } = options;
  const store = createPostgresStore(options);
  const database = openDatabase(url);
  database.tellAway((message) => warn?.({ code: 'NOT_REACHED', message, file: database.location }));
  return {
    database,
    store,
    now: () => database.now(),
    async runs() {
      return (await import('../runs/postgres-run-store.js')).createPostgresRunStore(url, stamp);
    },
    async contents() {
      return (await import('./postgres-contents.js')).contentsOfPostgres(url, store);
    },
    async maintenance() {
      return (await import('./postgres-maintenance.js')).createPostgresMaintenance(url, store, stamp);
    },
  };
}
