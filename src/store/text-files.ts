import { lstatSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { PlanError } from '../errors.js';
import { isFolder } from './file/layout.js';
import { replaceFile } from './file/replace-file.js';
import { errorCode, storageError } from './file/storage-error.js';

/** The largest text file that is read as input: a document, a context file, a plan to import. */
const MAX_TEXT_BYTES = 512 * 1024 * 1024;

/**
 * Reads a UTF-8 file that the user named.
 * @param limit the most bytes that are read
 * @param mark what becomes of a byte order mark
 * @throws PlanError FILE_NOT_FOUND, INVALID_INPUT (a folder, too large, not UTF-8), STORAGE_FAILED
 */
export async function readTextFile(
  path: string,
  limit = MAX_TEXT_BYTES,
  mark: 'drop' | 'keep' = 'drop',
): Promise<string> {
  let bytes: Buffer;
  try {
    const { size } = await stat(path);
    if (size > limit) {
      throw new PlanError('INVALID_INPUT', `${path} has ${size} bytes; at most ${limit} are read`, {
        details: { path },
      });
    }
    bytes = await readFile(path);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') {
      throw new PlanError('FILE_NOT_FOUND', `there is no file ${path}`, { details: { path }, cause });
    }
    if (errorCode(cause) === 'EISDIR')
      throw new PlanError('INVALID_INPUT', `${path} is a folder`, { details: { path } });
    throw storageError('read', path, cause);
  }
  return decode(bytes, path, mark === 'keep');
}

/** Whether anything is at a path, a broken link included. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Like {@link readTextFile}, but null when there is no such file. */
export async function readTextFileIfAny(path: string): Promise<string | null> {
  try {
    return await readTextFile(path);
  } catch (thrown) {
    if (thrown instanceof PlanError && thrown.code === 'FILE_NOT_FOUND') return null;
    throw thrown;
  }
}

/** The names of the regular files of a folder, in order; none when there is no folder. @throws PlanError STORAGE_FAILED */
export async function fileNames(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted();
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return [];
    throw storageError('read', folder, cause);
  }
}

/** The files of a folder whose names end with `ending`, by name, with their text; none when there is no folder. */
export async function readTextFolder(
  folder: string,
  ending: string,
): Promise<readonly { readonly path: string; readonly name: string; readonly text: string }[]> {
  let names: readonly string[];
  try {
    names = await readdir(folder);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return [];
    throw storageError('read', folder, cause);
  }
  const wanted = names.filter((name) => name.endsWith(ending)).toSorted();
  return Promise.all(
    wanted.map(async (name) => ({
      path: join(folder, name),
      name,
      text: await readTextFile(join(folder, name)),
    })),
  );
}

/**
 * Writes a whole file.
 * @param folder `make`: its folder is made when there is none
 * @throws PlanError STORAGE_FAILED
 */
export async function writeTextFile(
  path: string,
  text: string,
  folder: 'make' | 'expect' = 'expect',
): Promise<void> {
  if (folder === 'make') await makeFolderOf(path);
  else if (!isFolder(dirname(path))) {
    throw new PlanError('FILE_NOT_FOUND', `there is no folder ${dirname(path)} to write to`, {
      details: { path },
    });
  }
  await replaceFile(path, text);
}

/**
 * Copies a file byte for byte into a folder, which is made if need be. Nothing is overwritten: beside another
 * file of that name the copy is called `name.2`, and one that is there already is not made again.
 * @returns the name of the copy
 * @throws PlanError STORAGE_FAILED
 */
export async function keepCopy(from: string, folder: string): Promise<string> {
  try {
    const content = await readFile(from);
    await mkdir(folder, { recursive: true });
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? basename(from) : `${basename(from)}.${number}`;
      const there = await readFile(join(folder, name)).catch(ignoreAbsence);
      if (there === null) {
        await replaceFile(join(folder, name), content);
        return name;
      }
      if (there.equals(content)) return name;
    }
  } catch (cause) {
    throw storageError('copy', from, cause);
  }
}

/**
 * Adds a line to a file, making it if need be.
 * @param folder `make`: its folder is made when there is none
 * @throws PlanError STORAGE_FAILED
 */
export async function appendLine(
  path: string,
  line: string,
  folder: 'make' | 'expect' = 'expect',
): Promise<void> {
  if (folder === 'make') await makeFolderOf(path);
  try {
    await appendFile(path, line.endsWith('\n') ? line : `${line}\n`);
  } catch (cause) {
    throw storageError('append to', path, cause);
  }
}

async function makeFolderOf(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true }).catch((cause: unknown) => {
    throw storageError('create', dirname(path), cause);
  });
}

function ignoreAbsence(cause: unknown): null {
  if (errorCode(cause) === 'ENOENT') return null;
  throw cause;
}

function decode(bytes: Buffer, path: string, ignoreBOM: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    throw new PlanError('INVALID_INPUT', `${path} is not UTF-8 text`, {
      hint: 'Convert it first, for instance with `iconv -t UTF-8`.',
      details: { path },
    });
  }
}
