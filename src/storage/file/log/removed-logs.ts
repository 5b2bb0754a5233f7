import { link, lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { inFolder, inFolderOf } from '../../../host/files/folder-handle.js';
import { isOwnJournalLink, journalFileNames } from '../journal/peek-journal.js';
import { journalFolder, planPaths } from '../store-paths.js';
import { isPurged } from '../purge-plan.js';
import { deleteFile } from '../../../host/files/move-file.js';
import { notCommitted } from './reconcile-log.js';
import { errorCode, storageError } from '../../../host/files/storage-error.js';
import { fileIdentity } from '../../../host/files/file-identity.js';
import { linesLost } from './lost-lines.js';
import { PLAN_ID_PATTERN } from '../../../plan/ids.js';

/** A log that was appended to here and is not there any more, though nobody deleted its plan. */
export interface RemovedLog {
  readonly planId: string;
  /** Where it was. */
  readonly eventLog: string;
  /** The second name under which it is still there. */
  readonly link: string;
  readonly events: number;
}

/** The logs that something removed and that no branch has. @throws PlanError STORAGE_FAILED */
export async function removedLogs(store: string): Promise<readonly RemovedLog[]> {
  const found: RemovedLog[] = [];
  for (const planId of await plansIn(join(store, 'journal'))) {
    const { eventLog } = planPaths(store, planId, 'store');
    const locations = [planPaths(store, planId, 'store'), planPaths(store, planId, 'archive')];
    const isThere = await Promise.all(
      // What stands where a log should be is named as such, whatever it is.
      locations.map(
        async (paths) =>
          (await fileIdentity(paths.eventLog).catch(() => 'strange')) !== null || (await isPurged(paths)),
      ),
    );
    const path = await newestLink(journalFolder(store, planId));
    if (path === null || isThere.includes(true)) continue;
    const lines = await linesLost(eventLog, 0, [path]);
    if ((await notCommitted(eventLog, lines, [path])).length > 0)
      found.push({ planId, eventLog, link: path, events: lines.length });
  }
  return found;
}

/** Puts a removed log in its place again. @throws PlanError STORAGE_FAILED */
export async function bringLogBack({ link: from, eventLog }: RemovedLog): Promise<void> {
  try {
    await inFolderOf(from, (source) => inFolderOf(eventLog, (target) => link(source, target)));
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST') throw storageError('bring back', eventLog, cause);
  }
}

/** Lets go of every log that a plan had here. @throws PlanError STORAGE_FAILED */
export async function forgetLogs(store: string, planId: string): Promise<void> {
  const folder = journalFolder(store, planId);
  for (const name of journalFileNames(folder)) await deleteFile(join(folder, name));
}

async function plansIn(journal: string): Promise<readonly string[]> {
  const names = await inFolder(journal, ({ accessPath }) => readdir(accessPath)).catch(() => []);
  return names.filter((name) => PLAN_ID_PATTERN.test(name)).toSorted();
}

async function newestLink(folder: string): Promise<string | null> {
  let newest: { readonly path: string; readonly at: number } | null = null;
  for (const name of journalFileNames(folder).filter((each) => isOwnJournalLink(folder, each))) {
    const path = join(folder, basename(name));
    const found = await inFolderOf(path, (at) => lstat(at)).catch(() => null);
    if (found !== null && found.mtimeMs > (newest?.at ?? -1)) newest = { path, at: found.mtimeMs };
  }
  return newest?.path ?? null;
}
