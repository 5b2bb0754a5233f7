import { isAbsolute, relative, sep } from 'node:path';

/**
 * Whether a path lies below a folder; the folder itself does not. Both are absolute, and links are not followed: who must
 * know where a file is compares real paths.
 */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
