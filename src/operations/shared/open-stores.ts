import { hintStep } from '../../kernel/hint.js';
import { dirname, resolve } from 'node:path';

import type { OpenPostgres } from '../../features/teams/postgres/open-postgres.js';
import { exists, isSymbolicLink } from '../../host/files/exists.js';
import { isFolder, realFolder } from '../../host/files/folders.js';
import { storageError } from '../../host/files/storage-error.js';
import { isBelow } from '../../host/files/is-below.js';
import { PlanError } from '../../kernel/errors.js';
import { VERSION } from '../../kernel/version.js';
import type { Documents } from '../../storage/documents.js';
import type { FileDocumentsOptions } from '../../storage/file/file-documents.js';
import { createFileStore, prepareStore } from '../../storage/file/file-store.js';
import { runsFolder } from '../../storage/file/run-paths.js';
import { readStoreKind } from '../../storage/file/store-kind.js';
import { refuseOtherFolder } from '../../storage/file/store-folder.js';
import { findStore, STORE_FOLDER } from '../../storage/file/store-paths.js';
import type { Maintenance } from '../../storage/maintenance.js';
import type { StoredRuns } from '../../features/runs/storage/memory-run-store.js';
import type { PlanStore, Stamp, StoreWarning } from '../../storage/plan-store.js';
import type { RunStore } from '../../features/runs/storage/run-store.js';
import type { StoreContents } from '../../features/teams/copy/store-contents.js';
import type { Team } from '../../features/teams/team.js';
import type { UserConfig } from '../settings/config.js';
import { userConfigPath } from './environment.js';
import type { Environment } from './environment.js';

// Every use of what keeps plans in files or in a database is here, and nowhere else in operations/.
export { storePlanOfUser, readPlanOfUser } from '../../storage/file/current-plan.js';
export { prepareStore, STORE_FOLDER };
export type { OpenPostgres };

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
  return new PlanError('INVALID_INPUT', '--dir names no folder: it is empty', {
    hint: { commandLine: 'Name the folder of the store, such as --dir .plans, or leave --dir out.' },
  });
}

/** Whether the store is to be opened in a database: plans and runs are there, as its config says. */
export function isInDatabase(path: string | null): path is string {
  return path !== null && readStoreKind(path) === 'postgres';
}

interface FilesUse {
  readonly environment: Environment;
  readonly stamp: Stamp;
  /** Told what failed after a change was stored. */
  readonly warn: (warning: StoreWarning) => void;
}

/** Plans as files below a folder. @throws PlanError INVALID_INPUT for a folder of other files */
export function openFiles(folder: string, { environment, stamp, warn }: FilesUse): PlanStore {
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

/** Opens the store of runs as files below the folder of a store. */
export async function runsInFiles(folder: string, stamp: Stamp): Promise<RunStore> {
  return (await import('../../features/runs/storage/file/file-run-store.js')).createFileRunStore(
    folder,
    stamp,
  );
}

/** Opens the store of runs that live as long as the program. */
export async function runsInMemory(stamp: Stamp, kept: StoredRuns): Promise<RunStore> {
  return (await import('../../features/runs/storage/memory-run-store.js')).createMemoryRunStore(stamp, kept);
}

/** Opens the store of documents that live as long as the program. */
export async function documentsInMemory(store: PlanStore): Promise<Documents> {
  return (await import('../../storage/memory/memory-documents.js')).createMemoryDocuments(store);
}

/** Opens what looks after a store in memory. */
export async function maintenanceInMemory(store: PlanStore): Promise<Maintenance> {
  return (await import('../../storage/memory/memory-maintenance.js')).createMemoryMaintenance(store);
}

/** Opens all that a store keeps in files. @throws PlanError STORE_NOT_FOUND */
export async function contentsInFiles(
  path: string | null,
  open: (path: string) => PlanStore,
  environment: Environment,
): Promise<StoreContents> {
  if (path === null || !isFolder(path)) throw noStore(path, environment);
  await prepareStore(path);
  return (await import('../../features/teams/copy/file-contents.js')).contentsOfFiles(open(path));
}

/** Opens what looks after a store in files. */
export async function maintenanceOfFiles(
  store: PlanStore,
  folder: string,
  { now }: Environment,
): Promise<Maintenance> {
  const { createFileMaintenance } = await import('../../storage/file/maintenance/file-maintenance.js');
  return createFileMaintenance({ store, folder, now });
}

/** Whether a store in files may have runs, found out without reading any. */
export function mayHaveRuns(path: string | null, runs: StoredRuns): boolean {
  if (path === null) return runs.size > 0;
  return isFolder(runsFolder(path));
}

/** The documents beside the plans of a store. @param postgres the database that the plans are in; null where they are files */
export async function documentsBeside(
  files: FileDocumentsOptions,
  postgres: (() => Promise<OpenPostgres>) | null,
): Promise<Documents> {
  const { createFileDocuments } = await import('../../storage/file/file-documents.js');
  if (postgres === null) return createFileDocuments(files);
  const { createPostgresDocuments } = await import('../../features/teams/postgres/postgres-documents.js');
  return createPostgresDocuments(async () => (await postgres()).database, createFileDocuments(files));
}

interface DatabaseUse {
  readonly warn: (warning: StoreWarning) => void;
  readonly url: () => Promise<string>;
  readonly stamp: Stamp;
  /** Is told where the time of the database is found. */
  readonly noteClock: (now: () => number | null) => void;
}

/** Opens the database of the user. @throws PlanError INVALID_CONFIG where none is named */
export async function openDatabaseOf(environment: Environment, use: DatabaseUse): Promise<OpenPostgres> {
  const { stamp, warn, noteClock } = use;
  const { openPostgres } = await import('../../features/teams/postgres/open-postgres.js');
  const opened = openPostgres({ url: await use.url(), stamp, now: environment.now, warn });
  noteClock(opened.now);
  return opened;
}

/**
 * The database of the user in which the store is opened. A repository says no more than that there is one.
 * @throws PlanError INVALID_CONFIG when there is none
 */
export async function databaseUrl(
  { variables }: Environment,
  userConfig: () => Promise<UserConfig>,
): Promise<string> {
  const url = nonEmpty(variables.FRCTL_DATABASE_URL) ?? (await userConfig()).database_url;
  if (url !== undefined) return url;
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

/** Opens what workers share that have the same store in a database. */
export async function teamIn({ database }: OpenPostgres, { host, ids, pid }: Environment): Promise<Team> {
  const { createTeam } = await import('../../features/teams/workers/postgres-team.js');
  return createTeam({ database, newProcess: () => ids.eventId(), about: { host, pid, version: VERSION } });
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}
