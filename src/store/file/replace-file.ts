import { writeSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

import { storageError } from './storage-error.js';

/** What is written to a file: a whole, or pieces that are made while they are written. */
type FileContent = string | Buffer | Generator<Buffer>;

let written = 0;

/**
 * Replaces a file as a whole: readers see the old content or the new, never a part, also after a crash.
 * A temporary file in the same folder, fsync, rename, fsync of the folder.
 * @throws PlanError STORAGE_FAILED; the old file is then as it was
 */
export async function replaceFile(path: string, content: FileContent): Promise<void> {
  const temporary = temporaryBeside(path);
  try {
    await writeDurably(temporary, content);
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (cause) {
    await unlink(temporary).catch(() => undefined);
    throw storageError('write', path, cause);
  }
}

/**
 * A name for a temporary file that no other process and no other write of this one uses; nor one that was
 * killed, whose process id a later one can have.
 */
export function temporaryBeside(path: string): string {
  written += 1;
  const random = Math.random().toString(36).slice(2, 10);
  return `${path}.${process.pid}-${written}-${random}.tmp`;
}

/** Whether a file name is one that {@link temporaryBeside} makes. */
export function isTemporary(name: string): boolean {
  return /\.\d+-\d+(?:-[0-9a-z]+)?\.tmp$/.test(name);
}

/** Writes a new file and waits until the disk has it. */
export async function writeDurably(path: string, content: FileContent): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    if (typeof content === 'string' || Buffer.isBuffer(content)) await handle.writeFile(content);
    else writePieces(handle.fd, content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

// At once, since a piece is in memory as soon as the system has it, and that is all there is to wait for.
function writePieces(file: number, pieces: Iterable<Buffer>): void {
  for (const piece of pieces) {
    for (let written = 0; written < piece.length;) {
      const count = writeSync(file, piece, written);
      if (count === 0) throw new Error('nothing more was written');
      written += count;
    }
  }
}

/** Makes a rename or a new name in the folder durable; some systems cannot, and then need not. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  if (handle === null) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}
