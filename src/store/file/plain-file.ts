import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

import { notPlain } from './file-identity.js';

// Windows knows neither; a pipe that nobody writes to would be waited for without the second.
const SAFELY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file of the store to read it. A link is not followed, and a pipe, a device or a folder is not opened.
 * @throws PlanError STORAGE_FAILED when it is no plain file, else whatever the system says
 */
export async function openPlainFile(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | SAFELY);
  const found = await handle.stat();
  if (found.isFile()) return handle;
  await handle.close();
  throw notPlain(path, found);
}

/** The same to append to it, at once and without making it; the caller closes it. */
export function openToAppend(path: string): number {
  return plainOnly(path, openSync(path, constants.O_WRONLY | constants.O_APPEND | SAFELY));
}

/** The bytes of a file of the store, opened as {@link openPlainFile} does. */
export async function readPlainBytes(path: string): Promise<Buffer> {
  const handle = await openPlainFile(path);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** The same at once, for a command that does nothing else meanwhile: the thread pool takes many turns. */
export function readPlainBytesNow(path: string): Buffer {
  const file = openToReadNow(path);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Opens as {@link openPlainFile} does, at once; the caller closes it. */
export function openToReadNow(path: string): number {
  return plainOnly(path, openSync(path, constants.O_RDONLY | SAFELY));
}

/** The text of a file of the store. */
export async function readPlainFile(path: string): Promise<string> {
  return (await readPlainBytes(path)).toString('utf8');
}

function plainOnly(path: string, file: number): number {
  const found = fstatSync(file);
  if (found.isFile()) return file;
  closeSync(file);
  throw notPlain(path, found);
}
