import { lstatSync } from 'node:fs';
import type { Stats } from 'node:fs';

import { PlanError } from '../../kernel/errors.js';
import { inFolderOfNow } from './folder-handle.js';
import { errorCode, storageError } from './storage-error.js';

const TOO_LARGE = 'TOO_LARGE';

/** Which file on disk a path named when it was looked at. */
export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  /** When it was made; where the system does not tell, when it was last changed. So it may be different for one file. */
  readonly birthTime: number;
}

/**
 * The identity of the file that a path names now, or null when there is nothing. No component of it may be a link:
 * that may lead out of the store.
 * @throws PlanError STORAGE_FAILED, also when it is no plain file
 */
export async function fileIdentity(path: string): Promise<FileIdentity | null> {
  let found: Stats;
  try {
    // At once: a turn through the thread pool takes many times as long.
    found = inFolderOfNow(path, (at) => lstatSync(at));
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    throw storageError('read', path, cause);
  }
  if (!found.isFile()) throw notPlainFileError(path, found);
  return identityOf(found);
}

/** The same, synchronously; null also where it cannot be told. */
export function fileIdentityNow(path: string): FileIdentity | null {
  try {
    const found = inFolderOfNow(path, (at) => lstatSync(at));
    return found.isFile() ? identityOf(found) : null;
  } catch {
    return null;
  }
}

/**
 * When the file that a path names was last written, in milliseconds since 1970, whatever it is; minus infinity where
 * there is none.
 */
export function lastWritten(path: string): number {
  try {
    return inFolderOfNow(path, (at) => lstatSync(at)).mtimeMs;
  } catch {
    return -Infinity;
  }
}

/** The identity of a file by what the system tells of it. */
export function identityOf({ dev, ino, size, birthtimeMs }: Stats): FileIdentity {
  return { device: dev, inode: ino, size, birthTime: birthtimeMs };
}

/** Whether the system tells when files were made. Else a folder in which something was made since was so when it last changed. */
export function tellsBirths(folder: string): boolean {
  try {
    const { birthtimeMs, ctimeMs } = inFolderOfNow(folder, (at) => lstatSync(at));
    return birthtimeMs !== ctimeMs;
  } catch {
    return false;
  }
}

/** Whether two identities are those of one file, however long it has become. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.device === b.device && a.inode === b.inode;
}

/** The error for something that stands where a file of the store should be and could lead out of it, or never end. */
export function notPlainFileError(path: string, found: Stats, action = 'read'): PlanError {
  const kind = found.isSymbolicLink()
    ? 'a symbolic link'
    : found.isDirectory()
      ? 'a folder'
      : 'a pipe or a device';
  return new PlanError('STORAGE_FAILED', `cannot ${action} ${path}: it is ${kind}, not a file`, {
    hint: ['Put the file itself in its place. Nothing below a store is read or written through a link.'],
    details: { path },
  });
}

/** The error for a file of the store that is longer than any that is read. @param limit in bytes */
export function tooLarge(path: string, limit: number): PlanError {
  return new PlanError('STORAGE_FAILED', `cannot read ${path}: it has more than ${limit} bytes`, {
    hint: ['No file of its kind is that large. Look at what it holds, and take it out of the store.'],
    details: { path, reason: TOO_LARGE, limit },
  });
}

/** Whether an error says that a file is longer than any that is read. */
export function isTooLarge(thrown: unknown): boolean {
  return thrown instanceof PlanError && thrown.details.reason === TOO_LARGE;
}
