import { PlanError } from '../../../kernel/errors.js';
import type { OpenedStore, StoreOpening } from '../../../storage/opened-store.js';
import type { PlanStore } from '../../../storage/plan-store.js';
import { openDatabase } from './database.js';
import type { Database } from './database.js';
import { createPostgresStore } from './postgres-store.js';

/** What a store in PostgreSQL is in. */
export interface InPostgres {
  readonly url: string;
  /** What workers share is in there too. */
  readonly database: Database;
  readonly plans: PlanStore;
}

const OPENED = new WeakMap<OpenedStore, () => Promise<InPostgres>>();

/** Opens a store in the database that the user names, once that is needed. */
export function openPostgres(opening: StoreOpening): OpenedStore {
  const { folder, stamp, workspace, now, warn, noteClock } = opening;
  let opened: Promise<InPostgres> | null = null;
  const open = async (): Promise<InPostgres> => {
    const url = (await opening.url()) ?? refuseUnnamed();
    const database = openDatabase(url);
    noteClock(() => database.now());
    database.tellAway((message) => warn?.({ code: 'NOT_REACHED', message, file: database.location }));
    return { url, database, plans: createPostgresStore({ url, stamp, now, warn }) };
  };
  const openedOnce = () => (opened ??= open());
  const store: OpenedStore = {
    kind: 'postgres',
    folder,
    stamp,
    workspace,
    plans: async () => (await openedOnce()).plans,
    async documents() {
      const { createPostgresDocuments } = await import('./postgres-documents.js');
      return createPostgresDocuments(async () => (await openedOnce()).database, await opening.documents());
    },
    async maintenance() {
      const { createPostgresMaintenance } = await import('./postgres-maintenance.js');
      const { url, plans } = await openedOnce();
      return createPostgresMaintenance(url, plans, stamp);
    },
    async close() {
      // One that could not be opened has nothing to close.
      await opened?.then(
        ({ database }) => database.close(),
        () => undefined,
      );
    },
  };
  OPENED.set(store, openedOnce);
  return store;
}

/**
 * Returns what a store is in that was opened here.
 * @throws PlanError INVALID_CONFIG where no database is named, or for what is no URL of PostgreSQL
 */
export function inPostgres(store: OpenedStore): Promise<InPostgres> {
  const opened = OPENED.get(store);
  if (opened === undefined) throw new TypeError(`a store of ${store.kind} is in no database`);
  return opened();
}

function refuseUnnamed(): never {
  throw new PlanError(
    'INVALID_CONFIG',
    'the plans of this project are in PostgreSQL, and no database is named',
    {
      hint: {
        commandLine:
          'Set FRCTL_DATABASE_URL (postgres://user:password@host/database), or `plan config set database_url … --user`.',
      },
    },
  );
}
