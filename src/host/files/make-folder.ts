import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

import { inFolder, inFolderOf } from './held-folder.js';
import { errorCode } from './storage-error.js';

/**
 * Makes a folder with those above it that are missing. No component of the path may be a link.
 * @throws PlanError STORAGE_FAILED for a link, else whatever the system says
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await inFolder(path, () => Promise.resolve());
  } catch (cause) {
    if (errorCode(cause) !== 'ENOENT' || dirname(path) === path) throw cause;
    await makeFolder(dirname(path));
    await inFolderOf(path, (at) => mkdir(at).catch(ignoreExisting));
    await inFolder(path, () => Promise.resolve());
  }
}

function ignoreExisting(cause: unknown): void {
  if (errorCode(cause) !== 'EEXIST') throw cause;
}
