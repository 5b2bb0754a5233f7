import { lstatSync } from 'node:fs';

/** What a path names, links not followed: a plain file, a link, anything else, or null for nothing. */
export function fileKindNow(path: string): 'file' | 'link' | 'other' | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  return found.isFile() ? 'file' : found.isSymbolicLink() ? 'link' : 'other';
}
