import { renameSync, writeSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { link, lstat, open, readdir, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';

import { notPlainFileError } from './file-identity.js';
import { inFolderOf } from './folder-handle.js';
import type { HeldFolder } from './folder-handle.js';
import { errorCode, storageError } from './storage-error.js';

/** What is written to a file: a whole, or pieces that are made while they are written. */
type FileContent = string | Buffer | Generator<Buffer>;

const PERMISSIONS = 0o777;
const READ_AND_WRITE = 0o666;
const OWN = 0o600;

let written = 0;

export interface Replacing {
  /** A file, or a folder, that all may read whom the new one is for: it is never less open than that. */
  readonly like?: string | undefined;
  /** Who may do what with a file that is not there yet, as far as the umask leaves it. */
  readonly mode?: number | undefined;
  /** Who may do what with the new file, whatever the umask and whatever was there; `like` counts for nothing then. */
  readonly permissions?: Permissions | undefined;
  /** Asked when all is written: whether the file is to stay as it is after all. */
  readonly unless?: (() => boolean) | undefined;
  /**
   * false for what can be made anew and says itself whether it is whole: then the disk is not waited for, and after a
   * power cut the file may be empty or of before.
   */
  readonly isDurable?: boolean | undefined;
  /** Letters and digits that are in the name of the temporary file, by which {@link removeTemporaries} finds it again. */
  readonly mark?: string | undefined;
}

/**
 * Replaces a file as a whole: readers see the old content or the new, never a part, also after a crash.
 * A temporary file in the same folder, fsync, rename, fsync of the folder, unless it need not be durable. No component of the path may be a link, and
 * what is replaced must be a plain file, whose permissions and group the new one has, whatever the umask, unless others are given.
 * @returns false when it was not to be replaced after all
 * @throws PlanError STORAGE_FAILED; the old file is then as it was
 */
export async function replaceFile(
  path: string,
  content: FileContent,
  { like, mode, permissions, unless, isDurable = true, mark }: Replacing = {},
): Promise<boolean> {
  try {
    return await inFolderOf(path, async (at, folder) => {
      const there = await lstat(at).catch(() => null);
      if (there !== null && !there.isFile()) throw notPlainFileError(path, there, 'replace');
      const model = permissions ?? (await permissionsFor(there, like));
      const isReplaced = await withTemporary(
        path,
        folder,
        { content, model, mode, isDurable, mark },
        async (temporary) => {
          // At once, so that as little as can be comes between.
          if (unless?.() === true) return false;
          renameSync(temporary, at);
          return true;
        },
      );
      if (isDurable) await folder.sync();
      return isReplaced;
    });
  } catch (cause) {
    throw storageError('write', path, cause);
  }
}

/** How a file is made. */
export interface Creating {
  /** Who may do what with it, whatever the umask. */
  readonly permissions?: Permissions | undefined;
  /** Asked when all is written: whether there is to be no file after all. */
  readonly unless?: (() => Promise<boolean>) | undefined;
}

/**
 * Makes a file with its whole content; it is there as a whole or not at all, and what is there is never overwritten.
 * No component of the path may be a link.
 * @returns false when there is something of that name, or is to be nothing
 * @throws whatever the system says
 */
export function createFile(
  path: string,
  content: FileContent,
  { permissions, unless }: Creating = {},
): Promise<boolean> {
  return inFolderOf(path, async (at, folder) => {
    try {
      const isMade = await withTemporary(
        path,
        folder,
        { content, model: permissions ?? null, isDurable: true },
        async (temporary) => {
          if ((await unless?.()) === true) return false;
          // Unlike a rename, a link fails when the name is taken.
          await link(temporary, at);
          return true;
        },
      );
      if (!isMade) return false;
    } catch (cause) {
      if (errorCode(cause) === 'EEXIST') return false;
      throw cause;
    }
    await folder.sync();
    return true;
  });
}

/** Whether a file name is one that a temporary file has while it replaces another. */
export function isTemporary(name: string): boolean {
  return name.endsWith('.tmp') && /\.\d+-\d+(?:-[0-9a-z]+)?\.tmp$/.test(name);
}

async function lstatOf(path: string): Promise<Stats | null> {
  return inFolderOf(path, (at) => lstat(at)).catch(() => null);
}

/** Who may do what with a file or folder; null when there is none. No component of its path may be a link. */
export async function permissionsOf(path: string): Promise<Permissions | null> {
  const found = await lstatOf(path);
  return found === null ? null : { mode: found.mode & PERMISSIONS, gid: found.gid };
}

/** What may be done with a file by whom. */
export interface Permissions {
  readonly mode: number;
  /** Its group; the user's where none is given. */
  readonly gid?: number | undefined;
}

async function permissionsFor(there: Stats | null, like: string | undefined): Promise<Permissions | null> {
  const model = like === undefined ? null : await lstatOf(like);
  if (model === null) return there;
  return { gid: (there ?? model).gid, mode: (there?.mode ?? 0) | (model.mode & READ_AND_WRITE) };
}

/** What is written, and what may be done with it. */
interface Whole {
  readonly content: FileContent;
  /** Null for what the user's umask leaves. */
  readonly model: Permissions | null;
  readonly mode?: number | undefined;
  readonly isDurable: boolean;
  readonly mark?: string | undefined;
}

async function withTemporary<T>(
  path: string,
  folder: HeldFolder,
  whole: Whole,
  publish: (temporary: string) => Promise<T>,
): Promise<T> {
  const temporary = folder.at(temporaryName(basename(path), whole.mark));
  try {
    await writeNew(temporary, whole);
    return await publish(temporary);
  } finally {
    // After a rename it is gone.
    await unlink(temporary).catch(() => undefined);
  }
}

/**
 * A name for a temporary file that no other process and no other write of this one uses; nor one that was
 * killed, whose process id a later one can have.
 */
function temporaryName(name: string, mark = Math.random().toString(36).slice(2, 10)): string {
  written += 1;
  return `${name}.${process.pid}-${written}-${mark}.tmp`;
}

/**
 * Removes what a process that was killed has left of replacing a file: temporary files with this mark and nothing else.
 * What cannot be removed stays.
 */
export async function removeTemporaries(path: string, mark: string): Promise<void> {
  const [before, after] = [`${basename(path)}.`, `-${mark}.tmp`];
  const isMeant = (name: string) =>
    name.startsWith(before) &&
    name.endsWith(after) &&
    /^\d+-\d+$/.test(name.slice(before.length, -after.length));
  await inFolderOf(path, async (_at, folder) => {
    for (const name of (await readdir(folder.accessPath)).filter(isMeant)) {
      const at = folder.at(name);
      if ((await lstat(at)).isFile()) await unlink(at);
    }
  }).catch(() => undefined);
}

/** Writes a new file and, where it is to be durable, waits until the disk has it. */
async function writeNew(path: string, { content, model, mode, isDurable }: Whole): Promise<void> {
  // Until it has its permissions it is nobody else's: who has opened it reads what is written later.
  const handle = await open(path, 'wx', model === null ? mode : OWN);
  try {
    if (model !== null) await takePermissions(handle, model);
    if (typeof content === 'string' || Buffer.isBuffer(content)) await handle.writeFile(content);
    else writePieces(handle.fd, content);
    if (isDurable) await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A store that several users share stays theirs, whatever the umask and the groups of the one who writes. */
async function takePermissions(handle: FileHandle, { mode, gid }: Permissions): Promise<void> {
  const own = await handle.stat();
  if (gid !== undefined && own.gid !== gid) await handle.chown(own.uid, gid).catch(() => undefined);
  if (((own.mode ^ mode) & PERMISSIONS) !== 0) await handle.chmod(mode & PERMISSIONS).catch(() => undefined);
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
