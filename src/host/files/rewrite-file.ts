import { chmod, stat } from 'node:fs/promises';
import { resolve } from 'node:path';

import { isBelow } from './is-below.js';
import { pathWithin } from './path-within.js';
import { replaceFile } from './replace-file.js';
import { storageError } from './storage-error.js';

/**
 * Rewrites a file that is there, as a whole: where it is a symbolic link, what that leads to; its mode stays. A file that
 * is named below the folder must lie there too, since a repository can bring a link that leads out of itself.
 * @param name relative to the folder, or absolute
 * @throws PlanError REFUSED for a link that leads out, STORAGE_FAILED
 */
export async function rewriteFile(name: string, folder: string, text: string): Promise<void> {
  const path = resolve(folder, name);
  const real = await pathWithin(path, folder, isBelow(path, folder) ? [folder] : null);
  try {
    const { mode } = await stat(real);
    await replaceFile(real, text);
    await chmod(real, mode);
  } catch (cause) {
    throw storageError('write', path, cause);
  }
}
