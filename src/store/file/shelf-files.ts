import { lstat, unlink } from 'node:fs/promises';

import type { Shelf } from '../plan-store.js';
import { planIdOfFile, shelfFolder } from './layout.js';
import { inFolder } from './held-folder.js';
import { readPlainFolder } from './plain-file.js';
import { isTemporary } from './replace-file.js';
import { errorCode, storageError } from './storage-error.js';

/** Temporary files older than this were left by a process that was killed. */
const STALE_TEMPORARY_MS = 15 * 60_000;

/** What a shelf has of a plan's two files. */
export interface FilesThere {
  readonly plan: boolean;
  readonly log: boolean;
  /** Whether something that is no plain file, such as a link, has the name of one of them. */
  readonly strange: boolean;
}

const NONE: FilesThere = { plan: false, log: false, strange: false };

/**
 * The plans of a shelf by id, without looking at their files; none when there is no such folder. Removes
 * temporary files that were left behind.
 * @param now milliseconds since 1970
 * @throws PlanError STORAGE_FAILED
 */
export async function filesOnShelf(
  store: string,
  shelf: Shelf,
  now: number,
): Promise<ReadonlyMap<string, FilesThere>> {
  const folder = shelfFolder(store, shelf);
  const found = new Map<string, FilesThere>();
  try {
    const entries = await readPlainFolder(folder);
    for (const entry of entries) {
      const id = planIdOfFile(entry.name);
      if (id === null) continue;
      const { plan, log, strange } = found.get(id) ?? NONE;
      const isPlanFile = entry.name.endsWith('.json');
      found.set(id, {
        plan: plan || isPlanFile,
        log: log || !isPlanFile,
        strange: strange || !entry.isFile(),
      });
    }
    await sweepTemporaries(folder, entries.map(({ name }) => name).filter(isTemporary), now);
    return found;
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return found;
    throw storageError('read', folder, cause);
  }
}

async function sweepTemporaries(folder: string, names: readonly string[], now: number): Promise<void> {
  if (names.length === 0) return;
  await inFolder(folder, async ({ at }) => {
    for (const name of names) {
      const found = await lstat(at(name)).catch(() => null);
      if (found !== null && now - found.mtimeMs > STALE_TEMPORARY_MS)
        await unlink(at(name)).catch(() => undefined);
    }
  });
}
