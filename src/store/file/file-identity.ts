import { lstat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { crc32 } from 'node:zlib';

import { PlanError } from '../../errors.js';
import { errorCode, storageError } from './storage-error.js';

/** Which file on disk a path named when it was looked at. */
export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  /** When it was made; where the system does not tell, when it was last changed. */
  readonly born: number;
}

/**
 * What a path names now, or null when there is nothing. A link is not followed: it may lead out of the store.
 * @throws PlanError STORAGE_FAILED, also when it is no plain file
 */
export async function identify(path: string): Promise<FileIdentity | null> {
  let found: Stats;
  try {
    found = await lstat(path);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    throw storageError('read', path, cause);
  }
  if (!found.isFile()) throw notPlain(path, found);
  return identityOf(found);
}

export function identityOf({ dev, ino, size, birthtimeMs }: Stats): FileIdentity {
  return { device: dev, inode: ino, size, born: birthtimeMs };
}

export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.device === b.device && a.inode === b.inode;
}

/** A text that tells a file from a later one of the same name, also when that got the same inode. */
export function markOf({ inode, born }: FileIdentity): string {
  return `-${crc32(`${inode} ${born}`).toString(36)}`;
}

/** The error for something in the place of a file of the store that could lead out of it, or never end. */
export function notPlain(path: string, found: Stats): PlanError {
  const kind = found.isSymbolicLink()
    ? 'a symbolic link'
    : found.isDirectory()
      ? 'a folder'
      : 'a pipe or a device';
  return new PlanError('STORAGE_FAILED', `cannot read ${path}: it is ${kind}, not a file`, {
    hint: 'Put the file itself in its place. A whole store may be a link, a file in it may not.',
    details: { path },
  });
}
