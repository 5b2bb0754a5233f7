import { closeSync, constants, fstatSync, fsync, lstatSync, openSync, readlinkSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, dirname, join, parse, resolve } from 'node:path';
import { promisify } from 'node:util';

import { PlanError } from '../../kernel/errors.js';
import { errorCode } from './storage-error.js';

/** Where Linux shows the open files of a process; a name below one of them is looked up in that very folder. */
const OPEN_FILES = '/proc/self/fd';

/** A folder that is held open while names in it are used, so that nobody can put another in its place meanwhile. */
export interface HeldFolder {
  readonly path: string;
  /** What a call of the system is given for the folder itself. */
  readonly accessPath: string;
  /** What a call of the system is given for a name in the folder. A link in place of that name is not looked at. */
  readonly at: (name: string) => string;
  /** Makes new names in the folder durable; some systems cannot, and then need not. */
  readonly sync: () => Promise<void>;
}

/**
 * Holds a folder while something is done in it. No component of its path may be a link, so the path must be a real one
 * (see {@link realFolder}). On Linux this is sure: the folder is opened and asked where it is, and names are looked up
 * in what was opened. Elsewhere every component is looked at before and after, which leaves a moment for somebody who
 * swaps folders while the command runs.
 * @throws PlanError STORAGE_FAILED for a link; else whatever the system says, such as ENOENT, of the path that was given
 */
export async function inFolder<T>(path: string, work: (folder: HeldFolder) => Promise<T>): Promise<T> {
  const held = hold(resolve(path));
  try {
    const done = await work(held.folder);
    held.checkAgain();
    return done;
  } catch (thrown) {
    throw withRealPath(thrown, held.folder);
  } finally {
    held.close();
  }
}

/**
 * Holds a folder while something is done in it, as {@link inFolder} does, synchronously, for work that waits for
 * nothing.
 */
export function inFolderNow<T>(path: string, work: (folder: HeldFolder) => T): T {
  const held = hold(resolve(path));
  try {
    const done = work(held.folder);
    held.checkAgain();
    return done;
  } catch (thrown) {
    throw withRealPath(thrown, held.folder);
  } finally {
    held.close();
  }
}

/** Returns what was thrown, with the folder in place of the number that the system knew it by. */
function withRealPath(thrown: unknown, { path, accessPath }: HeldFolder): unknown {
  if (!(thrown instanceof Error) || !('path' in thrown) || !thrown.message.includes(`${accessPath}/`))
    return thrown;
  const named = (text: string) => text.replaceAll(`${accessPath}/`, () => join(path, '/'));
  thrown.message = named(thrown.message);
  if (typeof thrown.path === 'string') thrown.path = named(thrown.path);
  if ('dest' in thrown && typeof thrown.dest === 'string') thrown.dest = named(thrown.dest);
  return thrown;
}

/** Holds the folder of a file; `at` is what a call of the system is given for the file. */
export function inFolderOf<T>(
  path: string,
  work: (at: string, folder: HeldFolder) => Promise<T>,
): Promise<T> {
  return inFolder(dirname(path), (folder) => work(folder.at(basename(path)), folder));
}

/** Holds the folder of a file, as {@link inFolderOf} does, synchronously. */
export function inFolderOfNow<T>(path: string, work: (at: string) => T): T {
  return inFolderNow(dirname(path), (folder) => work(folder.at(basename(path))));
}

/**
 * Checks every component of the path of a folder that is held: none may be a link.
 * @param expected what the path must lead to
 * @throws PlanError STORAGE_FAILED for a link, or when the path leads elsewhere
 */
export function checkComponents(path: string, expected: Stats | null): void {
  const { root } = parse(path);
  for (let part = path; part !== root; part = dirname(part)) {
    if (lstatSync(part).isSymbolicLink()) throw isLink(part);
  }
  if (expected === null) return;
  const found = lstatSync(path);
  if (found.ino === expected.ino && found.dev === expected.dev) return;
  throw new PlanError('STORAGE_FAILED', `${path} was replaced while it was used`, {
    hint: { commandLine: 'Run the command again when nobody moves folders.' },
    details: { path },
  });
}

/** The error for a link where a folder of the store should be. */
function isLink(path: string): PlanError {
  return new PlanError('STORAGE_FAILED', `cannot use ${path}: it is a symbolic link`, {
    hint: ['Put the folder itself in its place. Nothing below a store is read or written through a link.'],
    details: { path },
  });
}

const flush = promisify(fsync);

interface Held {
  readonly folder: HeldFolder;
  checkAgain(): void;
  close(): void;
}

function hold(path: string): Held {
  const file = openFolder(path);
  if (file === null) return holdByName(path);
  try {
    const found = pathOfOpen(file);
    if (found !== path) checkComponents(path, fstatSync(file));
    const accessPath = found === null ? path : `${OPEN_FILES}/${file}`;
    return {
      folder: heldFolder(path, accessPath, () => flush(file)),
      checkAgain() {
        if (found === null) checkComponents(path, fstatSync(file));
      },
      close() {
        closeSync(file);
      },
    };
  } catch (cause) {
    closeSync(file);
    throw cause;
  }
}

/** For systems on which folders cannot be opened. */
function holdByName(path: string): Held {
  checkComponents(path, null);
  return {
    folder: heldFolder(path, path, () => Promise.resolve()),
    checkAgain() {
      checkComponents(path, null);
    },
    close: () => undefined,
  };
}

function heldFolder(path: string, accessPath: string, sync: () => Promise<void>): HeldFolder {
  return {
    path,
    accessPath,
    at: (name) => {
      if (name === '' || name === '.' || name === '..' || basename(name) !== name)
        throw new TypeError(`${JSON.stringify(name)} is not the name of a file in ${path}`);
      return join(accessPath, name);
    },
    sync: () => sync().catch(() => undefined),
  };
}

function openFolder(path: string): number | null {
  if (process.platform === 'win32') return null;
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    return openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
  } catch (cause) {
    if (['ENOTDIR', 'ELOOP'].includes(errorCode(cause) ?? '')) sayWhichIsLink(path);
    throw cause;
  }
}

function sayWhichIsLink(path: string): void {
  const { root } = parse(path);
  for (let part = path; part !== root; part = dirname(part)) {
    if (lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw isLink(part);
  }
}

/** The path of an open folder or file, as the system knows it; null where it does not tell. */
export function pathOfOpen(file: number): string | null {
  try {
    return readlinkSync(`${OPEN_FILES}/${file}`);
  } catch {
    return null;
  }
}
