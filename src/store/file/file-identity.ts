import { stat } from 'node:fs/promises';

import { errorCode, storageError } from './storage-error.js';

/** Which file on disk a path named when it was looked at. */
export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
}

/** What a path names now, or null when there is nothing. @throws PlanError STORAGE_FAILED */
export async function identify(path: string): Promise<FileIdentity | null> {
  try {
    const { dev, ino, size } = await stat(path);
    return { device: dev, inode: ino, size };
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    throw storageError('read', path, cause);
  }
}

export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.device === b.device && a.inode === b.inode;
}
