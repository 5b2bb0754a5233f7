import type { Maintenance } from '../maintenance.js';
import type { PlanStore } from '../plan-store.js';
import type { RunStore } from '../run-store.js';
import type { Team } from '../team.js';
import type { TeamOptions } from '../workers/postgres-team.js';
import type { StoreContents } from '../store-contents.js';
import { openDatabase } from './database.js';
import { createPostgresStore } from './postgres-store.js';
import type { PostgresStoreOptions } from './postgres-store.js';

/** All that is kept in a PostgreSQL database, each part loaded when it is asked for. */
export interface OpenPostgres {
  readonly store: PlanStore;
  /** The time by the clock of the database, in milliseconds since 1970; null before it was asked anything. */
  readonly now: () => number | null;
  readonly runs: () => Promise<RunStore>;
  readonly maintenance: () => Promise<Maintenance>;
  /** What workers share. */
  readonly team: (about: Omit<TeamOptions, 'database'>) => Promise<Team>;
  readonly contents: () => Promise<StoreContents>;
}

/** Opens a database. Nothing is connected before something is asked. @throws PlanError INVALID_CONFIG for what is no URL of PostgreSQL */
export function openPostgres(options: PostgresStoreOptions): OpenPostgres {
  const { url, stamp } = options;
  const store = createPostgresStore(options);
  return {
    store,
    now: () => openDatabase(url).now(),
    async runs() {
      return (await import('./postgres-run-store.js')).createPostgresRunStore(url, stamp);
    },
    async team(about) {
      const { createTeam } = await import('../workers/postgres-team.js');
      return createTeam({ ...about, database: openDatabase(url) });
    },
    async contents() {
      return (await import('./postgres-contents.js')).contentsOfPostgres(url, store);
    },
    async maintenance() {
      return (await import('./postgres-maintenance.js')).createPostgresMaintenance(url, store);
    },
  };
}
