import { readFileSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { PlanError } from '../../kernel/errors.js';
import { folderEntries } from './folder-entries.js';
import { isFolder, realFolder } from './folders.js';
import { appendToPlainFileNow, MOST_STORED_BYTES, readPlainBytes } from './plain-file.js';
import { readBounded } from './read-bounded.js';
import { makeFolder } from './make-folder.js';
import { readPipe } from './read-pipe.js';
import { createFile, replaceFile } from './replace-file.js';
import { errorCode, storageError } from './storage-error.js';

/** The largest text file that is read as input: a document, a context file, a plan to import. */
const MAX_TEXT_BYTES = 512 * 1024 * 1024;

/**
 * Reads a UTF-8 file that the user named: also one behind a link, or a pipe such as a shell makes for `<(command)`.
 * @param limit the most bytes that are read, whatever the file says that it has
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
    bytes = await readUpTo(path, limit);
  } catch (cause) {
    // Where a part of the path is a file, as of a home that is /dev/null, there is none either.
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(cause) ?? '')) throw fileNotFound(path, cause);
    if (errorCode(cause) === 'EISDIR')
      throw new PlanError('INVALID_INPUT', `${path} is a folder`, { details: { path } });
    throw storageError('read', path, cause);
  }
  return decode(bytes, path, mark === 'keep');
}

/**
 * Reads a UTF-8 file of a store, or of another folder that came with a repository: no component of its path may be a
 * link, and it must be a plain file.
 * @param limit the most bytes that are read
 * @param mark what becomes of a byte order mark
 * @throws PlanError FILE_NOT_FOUND, INVALID_INPUT when it is not UTF-8, STORAGE_FAILED
 */
export async function readStoredText(
  path: string,
  limit = MOST_STORED_BYTES,
  mark: 'drop' | 'keep' = 'drop',
): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readPlainBytes(path, limit);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') throw fileNotFound(path, cause);
    throw storageError('read', path, cause);
  }
  return decode(bytes, path, mark === 'keep');
}

/** Like {@link readTextFile}, but null when there is no such file. */
export async function readTextFileIfAny(
  path: string,
  mark: 'drop' | 'keep' = 'drop',
): Promise<string | null> {
  return readTextFile(path, MAX_TEXT_BYTES, mark).catch(ignoreNotFound);
}

/**
 * Reads a UTF-8 file that stands beside one that the user named, but was not named itself: its folder may be behind a link,
 * and it must be a plain file and no link. Null when there is none.
 * @param limit the most bytes that are read
 * @throws PlanError INVALID_INPUT when it is not UTF-8, STORAGE_FAILED
 */
export async function readTextBesideIfAny(path: string, limit: number): Promise<string | null> {
  return readStoredTextIfAny(join(realFolder(dirname(path)), basename(path)), limit);
}

/** A file that the user named, as it is at this moment with its byte order mark, in one step; null where there is none or it cannot be read. */
export function textFileNow(path: string): string | null {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(readFileSync(path));
  } catch {
    return null;
  }
}

/** Like {@link readStoredText}, but null when there is no such file. */
export async function readStoredTextIfAny(path: string, limit?: number): Promise<string | null> {
  return readStoredText(path, limit).catch(ignoreNotFound);
}

/**
 * The names of the plain files of a folder that came with a repository, in order; none when there is no folder.
 * @throws PlanError STORAGE_FAILED, also when a component of its path is a link
 */
export async function fileNames(folder: string): Promise<readonly string[]> {
  const entries = await folderEntries(folder);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/**
 * The names of the folders beside the text files in a folder that came with a repository, in order; links are
 * none.
 * @throws PlanError STORAGE_FAILED, also when a component of its path is a link
 */
export async function folderNames(folder: string): Promise<readonly string[]> {
  const entries = await folderEntries(folder);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/**
 * The files of a folder of a store that are meant, by the ending of their names or as a function tells by those, by name
 * and with their text; none when there is no folder. Folders are passed over, whatever they are called.
 * @param limit the most bytes that one may have
 * @throws PlanError STORAGE_FAILED, INVALID_INPUT for one that is not UTF-8
 */
export async function readStoredFolder(
  folder: string,
  meant: string | ((name: string) => boolean),
  limit: number,
): Promise<readonly { readonly path: string; readonly name: string; readonly text: string }[]> {
  const files: { path: string; name: string; text: string }[] = [];
  const isMeant = typeof meant === 'string' ? (name: string) => name.endsWith(meant) : meant;
  for (const entry of await folderEntries(folder)) {
    const { name } = entry;
    const path = join(folder, name);
    if (isMeant(name) && !entry.isDirectory())
      files.push({ path, name, text: await readStoredText(path, limit) });
  }
  return files;
}

/**
 * Writes a whole file that the user named; its folder may be behind a link.
 * @param folder `make`: its folder is made when there is none
 * @param unless asked at the last moment: whether it is to stay as it is after all
 * @returns false when it stays as it is
 * @throws PlanError STORAGE_FAILED
 */
export async function writeTextFile(
  path: string,
  text: string,
  folder: 'make' | 'expect' = 'expect',
  unless?: () => boolean,
): Promise<boolean> {
  const real = join(realFolder(dirname(path)), basename(path));
  if (folder === 'make') await makeFolderOf(real);
  else if (!isFolder(dirname(real))) {
    throw new PlanError('FILE_NOT_FOUND', `there is no folder ${dirname(path)} to write to`, {
      details: { path },
    });
  }
  return replaceFile(real, text, { unless });
}

/**
 * Copies a file that came with a repository byte for byte into a folder of the store, which is made if need be. No
 * component of either path may be a link. Nothing is overwritten: beside another file of that name the copy is
 * called `name.2`, and one that is there already is not made again.
 * @returns the name of the copy
 * @throws PlanError STORAGE_FAILED
 */
export async function copyToFolder(from: string, folder: string): Promise<string> {
  try {
    const content = await readPlainBytes(from);
    await makeFolder(folder);
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? basename(from) : `${basename(from)}.${number}`;
      if (await createFile(join(folder, name), content)) return name;
      if (await holds(join(folder, name), content)) return name;
    }
  } catch (cause) {
    throw storageError('copy', from, cause);
  }
}

/**
 * Adds a line to a text file that the user named, making it if need be. Its folder may be behind a link; a link, a pipe
 * or a device in place of the file is refused.
 * @param folder `make`: its folder is made when there is none
 * @throws PlanError STORAGE_FAILED
 */
export async function appendLine(
  path: string,
  line: string,
  folder: 'make' | 'expect' = 'expect',
): Promise<void> {
  const real = join(realFolder(dirname(path)), basename(path));
  if (folder === 'make') await makeFolderOf(real);
  try {
    appendToPlainFileNow(real, line === '' || line.endsWith('\n') ? line : `${line}\n`);
  } catch (cause) {
    throw storageError('append to', path, cause);
  }
}

async function makeFolderOf(path: string): Promise<void> {
  await makeFolder(dirname(path)).catch((cause: unknown) => {
    throw storageError('create', dirname(path), cause);
  });
}

/** Whether a file of the store has just this content; what cannot be read has not. */
async function holds(path: string, content: Buffer): Promise<boolean> {
  const there = await readPlainBytes(path, content.length).catch(() => null);
  return there?.equals(content) === true;
}

async function readUpTo(path: string, limit: number): Promise<Buffer> {
  const isPipe = (await stat(path)).isFIFO();
  const bytes = await (isPipe ? readPipe(path, limit) : readFileUpTo(path, limit));
  if (bytes !== null) return bytes;
  throw new PlanError(
    'INVALID_INPUT',
    `${path} has more than ${limit} bytes, which is the most that is read`,
    { details: { path } },
  );
}

async function readFileUpTo(path: string, limit: number): Promise<Buffer | null> {
  const handle = await open(path, 'r');
  try {
    return await readBounded(handle, limit);
  } finally {
    await handle.close();
  }
}

function fileNotFound(path: string, cause: unknown): PlanError {
  return new PlanError('FILE_NOT_FOUND', `there is no file ${path}`, { details: { path }, cause });
}

function ignoreNotFound(thrown: unknown): null {
  if (thrown instanceof PlanError && thrown.code === 'FILE_NOT_FOUND') return null;
  throw thrown;
}

function decode(bytes: Buffer, path: string, ignoreBOM: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    throw new PlanError('INVALID_INPUT', `${path} is not UTF-8 text`, {
      hint: { commandLine: 'Convert it first, for instance with `iconv -t UTF-8`.' },
      details: { path },
    });
  }
}
