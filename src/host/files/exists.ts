import { lstatSync } from 'node:fs';

import { errorCode } from './storage-error.js';

/** Whether anything is there at a path, a broken link included; nothing is below what is no folder. */
export function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOTDIR') return false;
    throw thrown;
  }
}

/** Whether a path is a symbolic link, wherever it leads. */
export function isSymbolicLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
