import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';

import { PlanError } from '../../kernel/errors.js';
import { isBelow } from './is-below.js';
import { errorCode, storageError } from './storage-error.js';

/**
 * The path of a file within one of the allowed folders, symbolic links followed.
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
  if (folders.some((one) => isBelow(real, one))) return real;
  throw new PlanError('REFUSED', `${name} leads out of ${allowed.join(' and ')}`, {
    details: { path: real },
  });
}
