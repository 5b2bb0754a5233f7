import { unlinkSync } from 'node:fs';
import { rename } from 'node:fs/promises';

import { inFolderOf } from './folder-handle.js';
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
 * @param unless asked just before: whether it is to stay after all
 * @returns whether there was one that was removed
 * @throws PlanError STORAGE_FAILED
 */
export async function deleteFile(path: string, unless?: () => boolean): Promise<boolean> {
  try {
    return await inFolderOf(path, async (at) => {
      // At once, so that as little as can be comes between.
      if (unless?.() === true) return false;
      unlinkSync(at);
      return true;
    });
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return false;
    throw storageError('remove', path, cause);
  }
}
