import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';

import { glob, isDynamicPattern } from 'tinyglobby';

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
