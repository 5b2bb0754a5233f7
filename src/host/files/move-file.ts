import { rename, unlink } from 'node:fs/promises';

import { inFolderOf } from './held-folder.js';
import { errorCode, storageError } from './storage-error.js';

/**
 * Moves a file of the store to another folder of it. Nothing is moved where there is no such file.
 * @throws PlanError STORAGE_FAILED
 */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await inFolderOf(from, (source) => inFolderOf(to, (target) => rename(source, target)));
  } catch (cause) {
    if (errorCode(cause) !== 'ENOENT') throw storageError('move', from, cause);
  }
}

/**
 * Removes a file of the store, or a link in its place.
 * @returns whether there was one
 * @throws PlanError STORAGE_FAILED
 */
export async function deleteFile(path: string): Promise<boolean> {
  try {
    await inFolderOf(path, (at) => unlink(at));
    return true;
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return false;
    throw storageError('remove', path, cause);
  }
}
