import { lstatSync } from 'node:fs';

/** Whether anything is there at a path, a broken link included. */
export function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
