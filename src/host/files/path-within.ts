import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

import { PlanError } from '../../kernel/errors.js';
import { isBelow } from './is-below.js';
import { errorCode, storageError } from './storage-error.js';

/** More links one after the other no system follows. */
const MOST_LINKS = 40;

/**
 * The path of a file within one of the allowed folders, symbolic links followed; also that of such a folder itself.
 * @param allowed folders of which it must lie in one; null for anywhere
 * @throws PlanError FILE_NOT_FOUND, REFUSED for one outside
 */
export async function pathWithin(
  name: string,
  folder: string,
  allowed: readonly string[] | null,
): Promise<string> {
  const path = resolve(folder, name);
  const folders = await Promise.all((allowed ?? []).map(realOrSame));
  const isWithin = (one: string) => [...(allowed ?? []), ...folders].some((each) => isOf(one, each));
  // What stands elsewhere is not looked at: whether there is such a file is nobody's business either.
  if (allowed !== null && !isWithin(path) && !isWithin(resolve(await realOrSame(folder), name)))
    throw leadsOut(name, allowed, path);
  const isAllowed = (real: string) => allowed === null || folders.some((one) => isOf(real, one));
  const real = await realpath(path).catch(async (cause: unknown) => {
    // Of a link that leads out it is not told whether there is anything at its end.
    if (allowed !== null && !isAllowed(await placeOf(path))) throw leadsOut(name, allowed, path);
    if (errorCode(cause) === 'ENOENT')
      throw new PlanError('FILE_NOT_FOUND', `there is no file ${path}`, { details: { path }, cause });
    throw storageError('read', path, cause);
  });
  if (allowed === null || isAllowed(real)) return real;
  throw leadsOut(name, allowed, path);
}

/** The place that a path leads to, links followed, though there may be nothing. */
async function placeOf(path: string, left = MOST_LINKS): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null || dirname(path) === path) return real ?? path;
  const place = join(await placeOf(dirname(path), left), basename(path));
  const target = await readlink(place).catch(() => null);
  return target === null || left === 0 ? place : placeOf(resolve(dirname(place), target), left - 1);
}

/** Whether a path is a folder or lies below it. */
function isOf(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder);
}

async function realOrSame(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}

function leadsOut(name: string, allowed: readonly string[], path: string): PlanError {
  return new PlanError('REFUSED', `${name} leads out of ${allowed.join(' and ')}`, { details: { path } });
}
