import { join } from 'node:path';

import { realFolder } from '../../host/files/folders.js';
import type { Environment } from './environment.js';
import { findStoreFolder, namedFolder, readStoreKind, STORE_FOLDER } from './open-files.js';

/** Where the store of a command is, or would be made. */
export interface StoreLocation {
  /** The folder in which one would be made. */
  readonly ownStore: () => string;
  /** The folder of the store; null before there is one, and for a store in memory. */
  readonly storeFolder: () => string | null;
  /** Whether somebody has named its folder; else it is the nearest above. */
  readonly isNamed: () => boolean;
  /** What keeps the plans of the store in this folder: `files`, or the name by which a feature brings it. */
  readonly kindOf: (path: string) => string;
  /** Whether the plans of the store in this folder are in a database, which others change as well. */
  readonly inDatabase: (path: string | null) => path is string;
}

/**
 * Where a store is, or would be made, and whether its plans are in a database.
 * @param named the store's folder, where it is named outright, and a database, where the program names one
 * @param isGiven whether the program has brought a store, so that none is looked for
 */
export function locateStore(
  { folder, database }: { readonly folder?: string | undefined; readonly database?: object | undefined },
  environment: Environment,
  isGiven: boolean,
): StoreLocation {
  const ownStore = () => join(realFolder(environment.workingFolder), STORE_FOLDER);
  const kindOf = (path: string) => (database === undefined ? readStoreKind(path) : 'postgres');
  return {
    ownStore,
    kindOf,
    storeFolder: () =>
      isGiven ? null : (findStoreFolder(environment, folder) ?? (database === undefined ? null : ownStore())),
    isNamed: () => namedFolder(environment, folder) !== undefined,
    inDatabase: (path: string | null): path is string => path !== null && kindOf(path) !== 'files',
  };
}
