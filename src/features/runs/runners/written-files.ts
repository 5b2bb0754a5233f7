import { realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';

import { isBelow } from '../../../host/files/is-below.js';
import type { FileState } from '../model/tool.js';
import { isProgramName, MOST_HELD_BYTES, readHeldFile } from './programs/held-file.js';
import { partsOfWord } from './programs/parts-of-word.js';

/** Where a command runs. */
interface Place {
  readonly folder: string;
  readonly root: string;
}

/** Reads the files that a program says it writes, as they are now; those outside the workspace are not told. */
export async function readWrittenFiles(
  paths: readonly string[],
  { folder, root }: Place,
): Promise<readonly FileState[]> {
  const files = paths.map((path) => resolve(folder, path)).filter((file) => isBelow(file, root));
  return Promise.all(
    files.map(async (file) => {
      const held = isThere(file) ? await readHeldFile(file, realpathSync(file), MOST_HELD_BYTES) : null;
      return { path: relative(root, file).replaceAll(sep, '/'), sha256: held?.sha256 ?? null };
    }),
  );
}

/**
 * Finds the files of the workspace that a command line seems to name and that are not there: the program may write them. In a
 * text these are scripts alone.
 */
export function findAbsentFiles(
  words: readonly string[],
  { folder, root }: Place,
  writes: readonly string[],
): readonly string[] {
  const names = words.flatMap((word) => [
    word,
    ...(word.includes('=') ? [word.slice(word.indexOf('=') + 1)] : []),
    ...(/^-[A-Za-z]./.test(word) ? [word.slice(2)] : []),
    ...partsOfWord(word).flatMap(({ text, isWhole }) => (!isWhole && isProgramName(text) ? [text] : [])),
  ]);
  return [...new Set(names)].filter((path) => {
    const file = resolve(folder, path);
    const isMeant = LIKE_A_FILE.test(path) && isBelow(file, root) && !writes.includes(path);
    return isMeant && !isThere(file) && isThere(dirname(file));
  });
}

/** What a file is called that somebody writes: a name with an ending of letters. */
const LIKE_A_FILE = /^[\w@+./-]*\w\.[A-Za-z]\w{0,7}$/;

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
