import { lstat, readdir, rename, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

import { fileIdentity, notPlainFileError } from '../../host/files/file-identity.js';
import { inFolder } from '../../host/files/folder-handle.js';
import type { HeldFolder } from '../../host/files/folder-handle.js';
import { journalFolder, planPaths } from './store-paths.js';
import type { PlanPaths } from './store-paths.js';
import { removeFolder } from '../../host/files/remove-folder.js';
import { createFile, isTemporary } from '../../host/files/replace-file.js';
import { errorCode, storageError } from '../../host/files/storage-error.js';

/**
 * Deletes a plan for good, wherever its files are, while others may be changing it. Renaming the log decides: from
 * then on the plan is gone, whatever happens to this process, and no other can bring a file of it back. Whoever
 * publishes the plan writes a temporary file, sees that the log is there, and renames the temporary file; since
 * those are removed after the log is gone and before the plan file is, none of them can come after that. The same
 * holds for whoever makes a log for a plan file that has none.
 * @returns whether there was such a plan
 * @throws PlanError STORAGE_FAILED, INVALID_INPUT
 */
export async function purgePlan(store: string, planId: string): Promise<boolean> {
  // What is in the store's own folder counts, so it goes last.
  const archived = await purgeFiles(store, planPaths(store, planId, 'archive'));
  return (await purgeFiles(store, planPaths(store, planId, 'store'))) || archived;
}

/** Whether a plan is being deleted for good, or whoever did that was stopped. @throws PlanError STORAGE_FAILED */
export async function isPurged(paths: PlanPaths): Promise<boolean> {
  return (await fileIdentity(paths.purgedLog)) !== null;
}

/** Ends what a process that was stopped has left undone. @throws PlanError STORAGE_FAILED */
export async function endPurge(store: string, planId: string): Promise<void> {
  for (const planFolder of ['archive', 'store'] as const) {
    const paths = planPaths(store, planId, planFolder);
    if (await isPurged(paths)) await inFolderOfPlan(store, paths, removeRest);
  }
}

/** What the files of a plan are called. */
interface Names {
  readonly planFile: string;
  readonly eventLog: string;
  readonly marker: string;
  /** The folder of its journal. */
  readonly journal: string;
}

async function purgeFiles(store: string, paths: PlanPaths): Promise<boolean> {
  return inFolderOfPlan(store, paths, async (folder, names) => {
    const log = await lstat(folder.at(names.eventLog)).catch(ignoreAbsence);
    if (log?.isDirectory() === true) throw notPlainFileError(paths.eventLog, log, 'remove');
    const there = [names.planFile, names.marker].map((name) => lstat(folder.at(name)).catch(ignoreAbsence));
    if (log === null && (await Promise.all(there)).every((found) => found === null)) return false;
    if (log === null) await createFile(paths.purgedLog, '');
    await remove(folder, names.planFile);
    await removeTemporaries(folder, names.eventLog);
    await rename(folder.at(names.eventLog), folder.at(names.marker)).catch(ignoreAbsence);
    await removeRest(folder, names);
    return true;
  });
}

/** Removes what is left of a plan whose log is gone. A log that was made since is that of another plan. */
async function removeRest(folder: HeldFolder, { planFile, eventLog, marker, journal }: Names): Promise<void> {
  // What was renamed or removed before is on the disk before what says so goes.
  await folder.sync();
  if ((await lstat(folder.at(eventLog)).catch(ignoreAbsence)) === null) {
    await removeTemporaries(folder, planFile);
    await remove(folder, planFile);
    await removeFolder(journal);
    await folder.sync();
  }
  await remove(folder, marker);
  await folder.sync();
}

async function inFolderOfPlan<T>(
  store: string,
  paths: PlanPaths,
  work: (folder: HeldFolder, names: Names) => Promise<T>,
): Promise<T | false> {
  try {
    return await inFolder(dirname(paths.eventLog), (folder) =>
      work(folder, {
        planFile: basename(paths.planFile),
        eventLog: basename(paths.eventLog),
        marker: basename(paths.purgedLog),
        journal: journalFolder(store, basename(paths.planFile, '.json')),
      }),
    );
  } catch (cause) {
    // There is no archive.
    if (errorCode(cause) === 'ENOENT') return false;
    throw storageError('remove', paths.eventLog, cause);
  }
}

async function removeTemporaries(folder: HeldFolder, name: string): Promise<void> {
  const names = await readdir(folder.accessPath);
  const found = names.filter((each) => each.startsWith(`${name}.`) && isTemporary(each));
  for (const each of found) await remove(folder, each);
}

async function remove(folder: HeldFolder, name: string): Promise<void> {
  await unlink(folder.at(name)).catch(ignoreAbsence);
}

function ignoreAbsence(cause: unknown): null {
  if (errorCode(cause) === 'ENOENT') return null;
  throw cause;
}
