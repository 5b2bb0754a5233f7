import { lstat, unlink } from 'node:fs/promises';

import { inFolder } from '../../host/files/folder-handle.js';
import { isTemporary } from '../../host/files/replace-file.js';

/** Temporary files older than this were left by a process that was killed. */
const STALE_TEMPORARY_MS = 15 * 60_000;

/**
 * Removes the temporary files that killed processes left in a folder. Younger ones may be somebody's who is at work.
 * @param names the files of the folder
 * @param now milliseconds since 1970
 */
export async function sweepTemporaries(folder: string, names: readonly string[], now: number): Promise<void> {
  const temporaries = names.filter(isTemporary);
  if (temporaries.length === 0) return;
  await inFolder(folder, async ({ at }) => {
    for (const name of temporaries) {
      const found = await lstat(at(name)).catch(() => null);
      if (found !== null && now - found.mtimeMs > STALE_TEMPORARY_MS)
        await unlink(at(name)).catch(() => undefined);
    }
  });
}
