import { dirname } from 'node:path';

import { isFolder } from '../../host/files/folders.js';
import { PlanError } from '../../kernel/errors.js';
import type { Documents, SettingsDocument } from '../../storage/documents.js';
import { createLazyStore } from '../../storage/lazy-store.js';
import type { Maintenance } from '../../storage/maintenance.js';
import type { OpenedStore, StoreOpening } from '../../storage/opened-store.js';
import type { PlanStore, Stamp, StoreWarning } from '../../storage/plan-store.js';
export type { StoreWarning } from '../../storage/plan-store.js';
import type { ProjectConfig, UserConfig } from '../settings/config.js';
import { stampOfCommand } from './command-stamp.js';
import { withClockOfStore } from './environment.js';
import type { Environment } from './environment.js';
import type { Hooks } from './hooks.js';
import {
  databaseUrl,
  documentsInFiles,
  emptyFolderOption,
  noStore,
  openFiles,
  openMemory,
  plansInFiles,
  prepareStore,
} from './open-files.js';
import { partsIn } from './parts.js';
import type { Parts } from './parts.js';
import { planOfUser } from './plan-of-user.js';
import type { PlanOfUser } from './plan-of-user.js';
import { locateStore } from './store-location.js';

/** What every use case works with. */
export interface Context extends PlanOfUser, Parts {
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
  /** The store. @throws PlanError STORE_NOT_FOUND */
  store(): PlanStore;
  /** The store, made in the working folder when there is none. @throws PlanError STORAGE_FAILED */
  storeToWrite(): Promise<PlanStore>;
  /** What the features bring. */
  readonly features: readonly Hooks<Context>[];
  /** Ends the connections to a database that this context and its changes have opened; each opens others when it needs one. */
  close(): Promise<void>;
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
  /** What the core is asked to work with besides itself; none when it is left out. */
  readonly features?: readonly Hooks<Context>[] | undefined;
  /** Told what failed after a change was stored. */
  readonly warn?: ((warning: StoreWarning) => void) | undefined;
}

/** Finds the store as git finds `.git`, unless it is named outright. */
export function createContext(options: ContextOptions): Context {
  return contextOf(options, { opened: new Set() });
}

/** What the commands of a workspace have together. */
interface SharedByChanges {
  /** Those of a store in memory. */
  documents?: Promise<Documents>;
  chosen?: string | null;
  /** The stores that features have opened. */
  readonly opened: Set<OpenedStore>;
}

function contextOf(options: ContextOptions, shared: SharedByChanges): Context {
  const { folder, database, features = [], warn = () => undefined } = options;
  const { environment, noteClock } = withClockOfStore(options.environment);
  if (folder !== undefined && folder.trim() === '') throw emptyFolderOption();
  const { stamp, changeId } = stampOfCommand(environment);
  const given = options.store?.(stamp);
  const location = locateStore(options, environment, given !== undefined);
  const { ownStore, storeFolder, inDatabase, kindOf } = location;
  const userConfig = async () => (await import('../settings/config.js')).readUserConfig(environment);
  const use = { environment, stamp, warn, workspace: shared };
  // Where the store is, or would be made.
  const place = () => storeFolder() ?? ownStore();
  const brought = openedOnce(features, shared.opened, () => ({
    ...use,
    folder: place(),
    url: async () => database?.url ?? databaseUrl(environment, userConfig),
    documents: () => documentsInFiles(place(), environment),
    now: environment.now,
    noteClock,
  }));
  const kindInUse = () => (given === undefined ? kindOf(place()) : 'memory');
  const opened = async (kind: string): Promise<OpenedStore> => {
    if (kind === 'memory' && given !== undefined) return openMemory(given, use, shared);
    return kind === 'files' ? openFiles(place(), use) : brought(kind);
  };
  const open = (path: string): PlanStore =>
    inDatabase(path)
      ? createLazyStore('PostgreSQL', async () => (await brought(kindOf(path))).plans())
      : plansInFiles(path, use);

  const store = (): PlanStore => {
    if (given !== undefined) return given;
    const path = storeFolder();
    if (path !== null && (database !== undefined || isFolder(path))) return open(path);
    throw noStore(path, environment);
  };
  const documents = async (): Promise<Documents | null> =>
    given === undefined && storeFolder() === null ? null : (await opened(kindInUse())).documents();

  return {
    environment,
    stamp,
    features,
    ...partsIn(features, environment, {
      kindInUse,
      opened,
      refuseMissing(kind) {
        const path = storeFolder();
        if (kind === undefined) store();
        else if (kind === 'files' && (path === null || !isFolder(path))) throw noStore(path, environment);
      },
    }),
    async storeToWrite() {
      if (given !== undefined) return given;
      const path = place();
      if (database === undefined) await prepareStore(path);
      return open(path);
    },
    newChange: () => contextOf(options, shared),
    close: () => closeAll(shared.opened),
    changeId,
    projectFolder: () => folderAbove(storeFolder()),
    storeFolder,
    isStoreNamed: location.isNamed,
    hasStore: () => given !== undefined || storeFolder() !== null,
    documents,
    store,
    async maintenance() {
      store();
      return (await opened(kindInUse())).maintenance();
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

/** Opens a store of a kind that features bring when it is first used, and counts it to those that were. */
function openedOnce(
  features: readonly Hooks<Context>[],
  used: SharedByChanges['opened'],
  opening: () => StoreOpening,
): (kind: string) => Promise<OpenedStore> {
  const opened = new Map<string, Promise<OpenedStore>>();
  return async (kind) => {
    const load = features.find(({ stores = {} }) => Object.hasOwn(stores, kind))?.stores?.[kind];
    if (load === undefined)
      throw new PlanError(
        'INVALID_CONFIG',
        `the plans of this project are in ${kind}, which nothing here opens`,
      );
    const opens = opened.get(kind) ?? load().then((openStore) => openStore(opening()));
    opened.set(kind, opens);
    const found = await opens;
    used.add(found);
    return found;
  };
}

/** Ends the connections of stores. */
async function closeAll(used: SharedByChanges['opened']): Promise<void> {
  const closing = [...used];
  used.clear();
  await Promise.all(closing.map((store) => store.close()));
}

async function projectConfigOf(settings: SettingsDocument | null): Promise<ProjectConfig> {
  return settings === null ? {} : (await import('../settings/config.js')).readProjectConfig(settings);
}
