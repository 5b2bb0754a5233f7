import { join } from 'node:path';

import { folderEntryNames } from '../../../host/files/folder-entries.js';
import { ownText } from './inspect-store.js';
import { copyPlainFile } from '../../../host/files/copy-file.js';
import { makeFolder } from '../../../host/files/make-folder.js';
import { replaceFile } from '../../../host/files/replace-file.js';
import { isOfOneFile, storageError } from '../../../host/files/storage-error.js';
import { planFolderPath, PLAN_FOLDERS, planIdOfFile } from '../store-paths.js';

/** Mends one of the store's own files by adding lines to its end. @throws PlanError STORAGE_FAILED */
export async function addLines(store: string, name: string, lines: readonly string[]): Promise<void> {
  const path = join(store, name);
  const before = await ownText(path);
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  await replaceFile(path, `${before}${separator}${lines.join('\n')}\n`);
}

/**
 * Copies the files of a plan, wherever they are, to a folder of its own below `backup/` before a store is mended.
 * @returns the folder
 * @throws PlanError STORAGE_FAILED
 */
export async function backUp(store: string, planId: string, at: string): Promise<string> {
  const folder = join(store, 'backup', `${at.replaceAll(/[:.]/g, '-')}-${planId}`);
  try {
    for (const planFolder of PLAN_FOLDERS) {
      // An archive that is no folder has no files of plans.
      const there = await folderEntryNames(planFolderPath(store, planFolder)).catch((cause: unknown) => {
        if (planFolder === 'archive' && isOfOneFile(cause)) return [];
        throw cause;
      });
      const names = there.filter((name) => planIdOfFile(name) === planId);
      if (names.length === 0) continue;
      await makeFolder(planFolderPath(folder, planFolder));
      for (const name of names)
        await copyPlainFile(
          join(planFolderPath(store, planFolder), name),
          join(planFolderPath(folder, planFolder), name),
        );
    }
    return folder;
  } catch (cause) {
    throw storageError('back up to', folder, cause);
  }
}
