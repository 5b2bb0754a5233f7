import { readdir, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { inFolder } from './folder-handle.js';
import { errorCode } from './storage-error.js';

/**
 * Removes a folder with all below it, where there is one; a link in it is removed and not followed.
 * @throws the error of the file system
 */
export async function removeFolder(path: string): Promise<void> {
  try {
    await inFolder(path, async (folder) => {
      for (const entry of await readdir(folder.accessPath, { withFileTypes: true })) {
        if (entry.isDirectory()) await removeFolder(join(path, entry.name));
        else await unlink(folder.at(entry.name)).catch(ignoreAbsence);
      }
    });
    await inFolder(dirname(path), (above) => rmdir(above.at(basename(path))));
  } catch (cause) {
    ignoreAbsence(cause);
  }
}

function ignoreAbsence(cause: unknown): void {
  if (errorCode(cause) !== 'ENOENT') throw cause;
}
