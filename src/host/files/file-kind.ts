import { lstatSync } from 'node:fs';

import { storageError } from './storage-error.js';

/**
 * What a path names, links not followed: a plain file, a link, anything else, or null for nothing.
 * @throws PlanError STORAGE_FAILED, as for a name that is too long
 */
export function fileKindNow(path: string): 'file' | 'link' | 'other' | null {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    return found.isFile() ? 'file' : found.isSymbolicLink() ? 'link' : 'other';
  } catch (cause) {
    throw storageError('look at', path, cause);
  }
}
