import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';

import { notPlainFileError, tooLarge } from './file-identity.js';
import { inFolderNow, inFolderOf, inFolderOfNow, pathOfOpen } from './folder-handle.js';
import { readBounded, readBoundedNow } from './read-bounded.js';

// Windows knows neither; a pipe that nobody writes to would be waited for without the second.
const SAFELY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The largest file of a store that is read as a whole: a plan of some 400,000 goals. */
export const MOST_STORED_BYTES = 256 * 1024 * 1024;

/**
 * Opens a file of the store to read it. No component of its path may be a link, and a pipe, a device or a folder is
 * not opened.
 * @throws PlanError STORAGE_FAILED when it is no plain file, else whatever the system says
 */
export function openPlainFile(path: string): Promise<FileHandle> {
  return inFolderOf(path, async (at) => {
    const handle = await open(at, constants.O_RDONLY | SAFELY);
    const found = await handle.stat();
    if (found.isFile()) return handle;
    await handle.close();
    throw notPlainFileError(path, found);
  });
}

/** Opens a plain file to append to it, at once and without making it; the caller closes it. */
export function openToAppend(path: string): number {
  return openNow(path, constants.O_WRONLY | constants.O_APPEND);
}

/**
 * Appends to a plain file, which it makes if need be, at once. No component of the path may be a link.
 * @throws PlanError STORAGE_FAILED when there is something else in its place, else whatever the system says
 */
export function appendToPlainFileNow(path: string, text: string): void {
  const file = openNow(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** Opens as {@link openPlainFile} does, at once; the caller closes it. */
export function openToReadNow(path: string): number {
  return openNow(path, constants.O_RDONLY);
}

/**
 * Writes a small file of the store over, or makes it, at once and without waiting for the disk; nobody may need what it
 * holds. No link is followed.
 * @throws PlanError STORAGE_FAILED when there is something else in its place, else whatever the system says
 */
export function overwritePlainFileNow(path: string, text: string): void {
  const file = openNow(path, constants.O_WRONLY | constants.O_CREAT);
  try {
    ftruncateSync(file);
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

/**
 * The bytes of a file of the store, opened as {@link openPlainFile} does.
 * @param limit what is longer is refused, however long it says that it is
 * @throws PlanError STORAGE_FAILED when it is no plain file or too large, else whatever the system says
 */
export async function readPlainBytes(path: string, limit = MOST_STORED_BYTES): Promise<Buffer> {
  const handle = await openPlainFile(path);
  try {
    return (await readBounded(handle, limit)) ?? refuseLarge(path, limit);
  } finally {
    await handle.close();
  }
}

/**
 * The bytes of a plain file, as {@link readPlainBytes} reads them, synchronously, for a command that does nothing
 * else meanwhile: the thread pool takes many turns.
 */
export function readPlainBytesNow(path: string, limit = MOST_STORED_BYTES): Buffer {
  const file = openToReadNow(path);
  try {
    return readBoundedNow(file, limit) ?? refuseLarge(path, limit);
  } finally {
    closeSync(file);
  }
}

/** The text of a file of the store. */
export async function readPlainFile(path: string, limit = MOST_STORED_BYTES): Promise<string> {
  return (await readPlainBytes(path, limit)).toString('utf8');
}

/** What a folder of the store holds, by name. No component of its path may be a link. */
export async function readPlainFolder(path: string): Promise<readonly Dirent[]> {
  const entries = inFolderNow(path, ({ accessPath }) => readdirSync(accessPath, { withFileTypes: true }));
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function refuseLarge(path: string, limit: number): never {
  throw tooLarge(path, limit);
}

function openNow(path: string, how: number): number {
  return openByName(path, how) ?? openInFolder(path, how);
}

/**
 * Opens a plain file by its whole path, and keeps it open only where the system says that just this path leads to it:
 * then none of its components is a link. That is as sure as to hold the folder, in half as many calls. A plain file is not
 * changed by being opened, so of one that is made or cut the folder is held.
 * @returns null where it cannot be told, or there is something to complain of
 */
function openByName(path: string, how: number): number | null {
  if ((how & constants.O_CREAT) !== 0) return null;
  const wanted = resolve(path);
  let file: number | null = null;
  try {
    file = openSync(wanted, how | SAFELY);
    if (pathOfOpen(file) === wanted && fstatSync(file).isFile()) return file;
  } catch {
    // The folder is held, and whatever is wrong is found again.
  }
  if (file !== null) closeSync(file);
  return null;
}

function openInFolder(path: string, how: number): number {
  return inFolderOfNow(path, (at) => {
    const file = openSync(at, how | SAFELY);
    const found = fstatSync(file);
    if (found.isFile()) return file;
    closeSync(file);
    throw notPlainFileError(path, found);
  });
}
