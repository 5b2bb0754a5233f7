import { dirname } from 'node:path';

import type { Toolbox } from '../../features/runs/model/tool.js';
import { isFolder } from '../../host/files/folders.js';
import type { Documents, SettingsDocument } from '../../storage/documents.js';
import { createLazyStore } from '../../storage/lazy-store.js';
import type { Maintenance } from '../../storage/maintenance.js';
import type { StoredRuns } from '../../features/runs/storage/memory-run-store.js';
import type { PlanStore, Stamp, StoreWarning } from '../../storage/plan-store.js';
export type { StoreWarning } from '../../storage/plan-store.js';
import type { RunStore } from '../../features/runs/storage/run-store.js';
import type { StoreContents } from '../../features/teams/copy/store-contents.js';
import type { Team } from '../../features/teams/team.js';
import type { ProjectConfig, UserConfig } from '../settings/config.js';
import { stampOfCommand } from './command-stamp.js';
import { userConfigPath, withClockOfStore } from './environment.js';
import type { Environment } from './environment.js';
import {
  contentsInFiles,
  databaseUrl,
  documentsBeside,
  documentsInMemory,
  maintenanceInMemory,
  maintenanceOfFiles,
  mayHaveRuns,
  emptyFolderOption,
  noStore,
  openDatabaseOf,
  openFiles,
  prepareStore,
  runsInFiles,
  runsInMemory,
  teamIn,
} from './open-stores.js';
import type { OpenPostgres } from './open-stores.js';
import { planOfUser } from './plan-of-user.js';
import type { PlanOfUser } from './plan-of-user.js';
import { createSpending, tellingStore } from './spending.js';
import type { Spending } from './spending.js';
import { locateStore } from './store-location.js';

/** What every use case works with. */
export interface Context extends PlanOfUser {
  readonly environment: Environment;
  readonly stamp: Stamp;
  /** Reads standard input, which is there on the command line alone. @throws PlanError USAGE the second time, INVALID_INPUT */
  readonly standardInput?: () => Promise<string>;
  /** The same for another command: what is written with it is a change of its own, which `undo` takes back as a whole. */
  newChange(): Context;
  /** The id of the change that this command has begun to write: that of its first event; undefined before there is one. */
  changeId(): string | undefined;
  /** The folder that holds the store, to which names of the project's files refer; null before there is one, and for a store in memory. */
  projectFolder(): string | null;
  /** The folder of the store, in which its config is, and its plans unless they are in a database; null as above. */
  storeFolder(): string | null;
  /** Whether somebody has named the folder of the store; else it is the nearest above. */
  isStoreNamed(): boolean;
  /** Whether there is a store. */
  hasStore(): boolean;
  /** The documents of the store; null before there is one. */
  documents(): Promise<Documents | null>;
  /** Looking after the store. @throws PlanError STORE_NOT_FOUND */
  maintenance(): Promise<Maintenance>;
  /**
   * All that is kept in files, or in the database, whichever of the two the project uses.
   * @throws PlanError STORE_NOT_FOUND, INVALID_CONFIG where no database is named
   */
  contents(kind: 'files' | 'postgres'): Promise<StoreContents>;
  /** The store. @throws PlanError STORE_NOT_FOUND */
  store(): PlanStore;
  /** The store, made in the working folder when there is none. @throws PlanError STORAGE_FAILED */
  storeToWrite(): Promise<PlanStore>;
  /** Whether the store may have runs, found out without reading any. */
  mayHaveRuns(): boolean;
  /** The runs of action plans. @throws PlanError STORE_NOT_FOUND */
  runs(): Promise<RunStore>;
  /** The same; the store is made in the working folder when there is none. @throws PlanError STORAGE_FAILED */
  runsToWrite(): Promise<RunStore>;
  /** What workers that plan together share; null where plans are not in a database. */
  team(): Promise<Team | null>;
  /** The tools that the program has brought, in place of any tools file. */
  readonly toolbox?: Toolbox | undefined;
  /** Ends the connections to a database that this context and its changes have opened; each opens others when it needs one. */
  close(): Promise<void>;
  /** What this command may have used of models, of which no log says anything yet. */
  readonly spending: Spending;
  readonly projectConfig: () => Promise<ProjectConfig>;
  readonly userConfig: () => Promise<UserConfig>;
}

export interface ContextOptions {
  readonly environment: Environment;
  /** The store's folder, named outright (`--dir`). */
  readonly folder?: string | undefined;
  /** A store to use instead of files, as it is with a stamp. */
  readonly store?: ((stamp: Stamp) => PlanStore) | undefined;
  /**
   * Plans and runs are in a database, whatever the config of the store's folder says, which need not be there. Its URL, where
   * it is not the user's own.
   */
  readonly database?: { readonly url: string | undefined } | undefined;
  /** Tools of runs that the program brings itself. */
  readonly toolbox?: Toolbox | undefined;
  /** Told what failed after a change was stored. */
  readonly warn?: ((warning: StoreWarning) => void) | undefined;
}

/** Finds the store as git finds `.git`, unless it is named outright. */
export function createContext(options: ContextOptions): Context {
  return contextOf(options, { runs: new Map(), databases: new Set() });
}

interface SharedByChanges {
  inMemory?: Promise<Documents>;
  readonly runs: StoredRuns;
  chosen?: string | null;
  /** The databases that were used. */
  readonly databases: Set<OpenPostgres['database']>;
}

/** @param shared what the commands of a workspace have together */
function contextOf(options: ContextOptions, shared: SharedByChanges): Context {
  const { folder, database, warn = () => undefined } = options;
  const { environment, noteClock } = withClockOfStore(options.environment);
  if (folder !== undefined && folder.trim() === '') throw emptyFolderOption();
  const { stamp, changeId } = stampOfCommand(environment);
  const ownFolder = dirname(userConfigPath(environment));
  const given = options.store?.(stamp);
  const location = locateStore(options, environment, given !== undefined);
  const { ownStore, storeFolder, inDatabase } = location;
  const userConfig = async () => (await import('../settings/config.js')).readUserConfig(environment);
  const url = async () => database?.url ?? databaseUrl(environment, userConfig);
  const postgres = openedOnce(
    () => openDatabaseOf(environment, { url, stamp, warn, noteClock }),
    shared.databases,
  );
  const files = (path: string) => openFiles(path, { environment, stamp, warn });
  const open = (path: string): PlanStore =>
    tellingStore(
      inDatabase(path) ? createLazyStore('PostgreSQL', async () => (await postgres()).store) : files(path),
      (...appended) => spending.appended(...appended),
    );

  const documents = async (): Promise<Documents | null> => {
    if (given !== undefined) return (shared.inMemory ??= documentsInMemory(given));
    const path = storeFolder();
    if (path === null) return null;
    return documentsBeside({ folder: path, ownFolder }, inDatabase(path) ? postgres : null);
  };

  const spending = createSpending(async () => (await documents())?.spending ?? null, environment);

  const store = (): PlanStore => {
    if (given !== undefined) return given;
    const path = storeFolder();
    if (path !== null && (database !== undefined || isFolder(path))) return open(path);
    throw noStore(path, environment);
  };

  const storeToWrite = async (): Promise<PlanStore> => {
    if (given !== undefined) return given;
    const path = storeFolder() ?? ownStore();
    if (database === undefined) await prepareStore(path);
    return open(path);
  };
  const runsOf = async ({ location }: PlanStore): Promise<RunStore> => {
    if (given !== undefined) return runsInMemory(stamp, shared.runs);
    return inDatabase(storeFolder()) ? (await postgres()).runs() : runsInFiles(location, stamp);
  };

  return {
    environment,
    stamp,
    team: async () => (inDatabase(storeFolder()) ? teamIn(await postgres(), environment) : null),
    toolbox: options.toolbox,
    mayHaveRuns: () => inDatabase(storeFolder()) || mayHaveRuns(storeFolder(), shared.runs),
    runs: async () => runsOf(store()),
    runsToWrite: async () => runsOf(await storeToWrite()),
    storeToWrite,
    newChange: () => contextOf(options, shared),
    close: () => closeAll(shared.databases),
    changeId,
    projectFolder: () => folderAbove(storeFolder()),
    storeFolder,
    isStoreNamed: location.isNamed,
    hasStore: () => given !== undefined || storeFolder() !== null,
    documents,
    spending,
    store,
    contents: async (kind) =>
      kind === 'postgres'
        ? (await postgres()).contents()
        : contentsInFiles(storeFolder(), files, environment),
    async maintenance() {
      const kept = store();
      const path = storeFolder();
      return inDatabase(path) ? (await postgres()).maintenance() : maintenanceOf(kept, path, environment);
    },
    ...planOfUser({ storeFolder, inDatabase, environment }, given === undefined ? null : shared),
    projectConfig: async () => projectConfigOf((await documents())?.settings ?? null),
    userConfig,
  };
}

/** The folder that holds a store; null before there is one. */
function folderAbove(store: string | null): string | null {
  return store === null ? null : dirname(store);
}

/** Opens a database when it is first used, and counts it to those that were. */
function openedOnce(open: () => Promise<OpenPostgres>, used: SharedByChanges['databases']) {
  let opened: Promise<OpenPostgres> | null = null;
  return async (): Promise<OpenPostgres> => {
    const postgres = await (opened ??= open());
    used.add(postgres.database);
    return postgres;
  };
}

/** Looking after a store that is in no database. @param path its folder; null for one in memory */
function maintenanceOf(kept: PlanStore, path: string | null, environment: Environment): Promise<Maintenance> {
  return path === null ? maintenanceInMemory(kept) : maintenanceOfFiles(kept, path, environment);
}

/** Ends the connections of databases. */
async function closeAll(used: SharedByChanges['databases']): Promise<void> {
  const closing = [...used];
  used.clear();
  await Promise.all(closing.map((database) => database.close()));
}

async function projectConfigOf(settings: SettingsDocument | null): Promise<ProjectConfig> {
  return settings === null ? {} : (await import('../settings/config.js')).readProjectConfig(settings);
}
