import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

import { inFolder, inFolderOf } from './folder-handle.js';
import { errorCode } from './storage-error.js';

/**
 * Makes a folder with those above it that are missing. No component of the path may be a link.
 * @param mode who may do what in those that are made, as far as the umask leaves it
 * @throws PlanError STORAGE_FAILED for a link, else whatever the system says
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await inFolder(path, () => Promise.resolve());
  } catch (cause) {
    if (errorCode(cause) !== 'ENOENT' || dirname(path) === path) throw cause;
    await makeFolder(dirname(path), mode);
    await inFolderOf(path, (at) => mkdir(at, mode).catch(ignoreExisting));
    await inFolder(path, () => Promise.resolve());
  }
}

function ignoreExisting(cause: unknown): void {
  if (errorCode(cause) !== 'EEXIST') throw cause;
}
