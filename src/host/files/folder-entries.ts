import type { Dirent } from 'node:fs';

import { readPlainFolder } from './plain-file.js';
import { errorCode, storageError } from './storage-error.js';

/**
 * The entries of a folder of the store, by name; none where there is no folder.
 * @throws PlanError STORAGE_FAILED, also when a component of its path is a link
 */
export async function folderEntries(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readPlainFolder(folder);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return [];
    throw storageError('read', folder, cause);
  }
}

/** The names of the entries of a folder of the store; none where there is no folder. @throws PlanError STORAGE_FAILED */
export async function folderEntryNames(folder: string): Promise<readonly string[]> {
  return (await folderEntries(folder)).map(({ name }) => name);
}
