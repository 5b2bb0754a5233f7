import { join } from 'node:path';

import { createFileStore, prepareStore } from '../../src/storage/file/file-store.js';
import type { FilePlanStore } from '../../src/storage/file/file-store.js';
import type { Stamp } from '../../src/storage/plan-store.js';
import { temporaryFolder } from './folders.js';

let stamps = 0;

/** Stamps with ids of their own and a clock that goes on by a second each time. */
export function newStamp(by = 'test'): Stamp {
  return () => {
    stamps += 1;
    return { id: `event${stamps}`, at: new Date(Date.UTC(2026, 0, 1) + stamps * 1000).toISOString(), by };
  };
}

/** A store in files. */
export async function newFileStore(
  folder: string = join(temporaryFolder(), '.plans'),
): Promise<FilePlanStore> {
  await prepareStore(folder);
  return createFileStore({
    folder,
    stamp: newStamp(),
    makeReplicaId: () => `r${Math.random().toString(36).slice(2, 8)}`,
    now: Date.now,
  });
}
