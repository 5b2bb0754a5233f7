import { chmod, realpath, stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';

import { glob, isDynamicPattern } from 'tinyglobby';

import { PlanError } from '../../kernel/errors.js';
import { replaceFile } from './replace-file.js';
import { errorCode, storageError } from './storage-error.js';

/**
 * The files that a name means, relative to a folder, in order: the file of that name if there is one, else those that
 * the glob matches (`*`, `**`, `{a,b}`, `[ab]`; dot files and node_modules are passed over). None where nothing is meant.
 */
export async function findFiles(name: string, folder: string): Promise<readonly string[]> {
  const found = await stat(resolve(folder, name)).catch(() => null);
  if (found !== null || !isDynamicPattern(name)) return found === null ? [] : [name];
  const matches = await glob(name, { cwd: folder, ignore: ['**/node_modules/**'], expandDirectories: false });
  return matches.toSorted();
}

/**
 * The path of a file, symbolic links followed.
 * @param allowed folders of which it must lie in one; null for anywhere
 * @throws PlanError FILE_NOT_FOUND, REFUSED for one outside
 */
export async function pathWithin(
  name: string,
  folder: string,
  allowed: readonly string[] | null,
): Promise<string> {
  const path = resolve(folder, name);
  const real = await realpath(path).catch((cause: unknown) => {
    if (errorCode(cause) === 'ENOENT')
      throw new PlanError('FILE_NOT_FOUND', `there is no file ${path}`, { details: { path }, cause });
    throw storageError('read', path, cause);
  });
  if (allowed === null) return real;
  const folders = await Promise.all(allowed.map((one) => realpath(one).catch(() => one)));
  if (folders.some((one) => isWithin(real, one))) return real;
  throw new PlanError('REFUSED', `${name} leads out of ${allowed.join(' and ')}`, {
    details: { path: real },
  });
}

/**
 * Replaces the content of a file that is there, as a whole: where it is a symbolic link, of what that leads to; its mode stays.
 * @throws PlanError STORAGE_FAILED
 */
export async function rewriteFile(path: string, text: string): Promise<void> {
  const real = await realpath(path).catch((cause: unknown) => {
    throw storageError('write', path, cause);
  });
  const { mode } = await stat(real);
  await replaceFile(real, text);
  await chmod(real, mode).catch((cause: unknown) => {
    throw storageError('write', path, cause);
  });
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path;
}
