import { hintStep } from '../../kernel/hint.js';
import { dirname, resolve } from 'node:path';

import { exists, isSymbolicLink } from '../../host/files/exists.js';
import { isFolder, realFolder } from '../../host/files/folders.js';
import { storageError } from '../../host/files/storage-error.js';
import { isBelow } from '../../host/files/is-below.js';
import { PlanError } from '../../kernel/errors.js';
import type { Documents } from '../../storage/documents.js';
import { createFileStore, prepareStore } from '../../storage/file/file-store.js';
import type { FilePlanStore } from '../../storage/file/file-store.js';
import { readStoreKind } from '../../storage/file/store-kind.js';
import { refuseOtherFolder } from '../../storage/file/store-folder.js';
import { findStore, STORE_FOLDER } from '../../storage/file/store-paths.js';
import type { OpenedStore } from '../../storage/opened-store.js';
import type { PlanStore, Stamp, StoreWarning } from '../../storage/plan-store.js';
import type { UserConfig } from '../settings/config.js';
import { userConfigPath } from './environment.js';
import type { Environment } from './environment.js';

// Every use of what keeps plans in files or in memory is here, and nowhere else in operations/.
export { storePlanOfUser, readPlanOfUser } from '../../storage/file/current-plan.js';
export { prepareStore, readStoreKind, STORE_FOLDER };

/** The folder that is named for the store, by the command line or the environment. */
export function namedFolder({ variables }: Environment, folder: string | undefined): string | undefined {
  return folder ?? nonEmpty(variables.FRCTL_DIR);
}

/** The store's folder: the one that is named, else the nearest above. */
export function findStoreFolder(environment: Environment, folder: string | undefined): string | null {
  const named = namedFolder(environment, folder);
  const path =
    named === undefined
      ? findStore(environment.workingFolder)
      : realFolder(resolve(environment.workingFolder, named));
  if (named !== undefined && path !== null) refuseNoFolder(named, path);
  if (path !== null) refuseOwnConfig(path, environment);
  return path;
}

function refuseNoFolder(named: string, path: string): void {
  const problem = pathProblem(named, path);
  if (problem === null) return;
  throw new PlanError('INVALID_INPUT', problem, {
    hint: {
      commandLine:
        '--dir and FRCTL_DIR name the folder of the store, such as .plans; without them the nearest .plans/ is found.',
    },
    details: { path },
  });
}

/** Why no store can be, or be made, at a path; null where one can. */
function pathProblem(named: string, path: string): string | null {
  try {
    if (!exists(path) || isFolder(path)) return null;
    return `${named} ${isSymbolicLink(path) ? 'is a link that leads nowhere' : 'is a file, not a folder'}`;
  } catch (cause) {
    return storageError('look at', path, cause).message;
  }
}

/** A store must not be where the user keeps whom he trusts. */
function refuseOwnConfig(store: string, environment: Environment): void {
  const own = realFolder(dirname(userConfigPath(environment)));
  if (store !== own && !isBelow(store, own) && !isBelow(own, store)) return;
  throw new PlanError('REFUSED', `${store} cannot be a store: your own config is at ${own}`, {
    hint: { commandLine: 'Name another folder with --dir or FRCTL_DIR.' },
    details: { path: store },
  });
}

/** What is said where there is no store. @param path where it should be; null where none was found */
export function noStore(path: string | null, { workingFolder }: Environment): PlanError {
  return path === null
    ? new PlanError('STORE_NOT_FOUND', `there is no ${STORE_FOLDER}/ in ${workingFolder} or above it`, {
        hint: [
          hintStep('init', '"<goal>"'),
          ' makes one',
          { commandLine: '; --dir names another place' },
          '.',
        ],
      })
    : new PlanError('STORE_NOT_FOUND', `there is no store at ${path}`, {
        hint: [hintStep('init', '"<goal>"'), ' makes one there.'],
      });
}

/** What is said where `--dir` is empty. */
export function emptyFolderOption(): PlanError {
  return new PlanError('INVALID_INPUT', '--dir is empty', {
    hint: { commandLine: 'Name the folder of the store, such as --dir .plans, or leave --dir out.' },
  });
}

/** What stores are opened with. */
export interface StoreUse {
  readonly environment: Environment;
  readonly stamp: Stamp;
  /** Told what failed after a change was stored. */
  readonly warn: (warning: StoreWarning) => void;
  /** See `OpenedStore`. */
  readonly workspace: object;
}

/** Opens plans as files below a folder. @throws PlanError INVALID_INPUT for a folder of other files */
export function plansInFiles(folder: string, { environment, stamp, warn }: StoreUse): FilePlanStore {
  refuseOtherFolder(folder);
  return createFileStore({
    folder,
    stamp,
    makeReplicaId: () => environment.ids.goalSuffix(),
    fixedMark: environment.logMark,
    now: environment.now,
    warn,
  });
}

/** Opens what is kept in files below a folder. */
export function openFiles(folder: string, use: StoreUse): OpenedStore {
  const { stamp, workspace, environment } = use;
  return {
    kind: 'files',
    folder,
    stamp,
    workspace,
    plans: async () => plansInFiles(folder, use),
    documents: async () => documentsInFiles(folder, environment),
    async maintenance() {
      const { createFileMaintenance } = await import('../../storage/file/maintenance/file-maintenance.js');
      return createFileMaintenance({ store: plansInFiles(folder, use), folder, now: environment.now });
    },
    close: async () => undefined,
  };
}

/** Opens the documents below the folder of a store. */
export async function documentsInFiles(folder: string, environment: Environment): Promise<Documents> {
  const { createFileDocuments } = await import('../../storage/file/file-documents.js');
  return createFileDocuments({ folder, ownFolder: dirname(userConfigPath(environment)) });
}

/** Opens what lives as long as the program. @param documents keeps its documents for the next that is opened so */
export function openMemory(
  plans: PlanStore,
  { stamp, workspace }: Pick<StoreUse, 'stamp' | 'workspace'>,
  kept: { documents?: Promise<Documents> },
): OpenedStore {
  return {
    kind: 'memory',
    folder: null,
    stamp,
    workspace,
    plans: async () => plans,
    documents: () =>
      (kept.documents ??= import('../../storage/memory/memory-documents.js').then(
        ({ createMemoryDocuments }) => createMemoryDocuments(plans),
      )),
    async maintenance() {
      const { createMemoryMaintenance } = await import('../../storage/memory/memory-maintenance.js');
      return createMemoryMaintenance(plans);
    },
    close: async () => undefined,
  };
}

/** The database that the user names, in the environment or in his own config; a repository says no more than that there is one. */
export async function databaseUrl(
  { variables }: Environment,
  userConfig: () => Promise<UserConfig>,
): Promise<string | undefined> {
  return nonEmpty(variables.FRCTL_DATABASE_URL) ?? (await userConfig()).database_url;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}
