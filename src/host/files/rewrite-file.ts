import { chmod, realpath, stat } from 'node:fs/promises';

import { replaceFile } from './replace-file.js';
import { storageError } from './storage-error.js';

/**
 * Rewrites a file that is there, as a whole: where it is a symbolic link, what that leads to; its mode stays.
 * @throws PlanError STORAGE_FAILED
 */
export async function rewriteFile(path: string, text: string): Promise<void> {
  const real = await realpath(path).catch((cause: unknown) => {
    throw storageError('write', path, cause);
  });
  const { mode } = await stat(real);
  await replaceFile(real, text);
  await chmod(real, mode).catch((cause: unknown) => {
    throw storageError('write', path, cause);
  });
}
