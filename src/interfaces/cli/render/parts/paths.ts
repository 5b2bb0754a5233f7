import { isAbsolute, relative } from 'node:path';

import { graphemesOf, truncate } from '../../../../kernel/text/truncate.js';
import { widthOf } from '../../../../kernel/text/break-line.js';

/** A path as somebody names it who is in a folder: relative to that where it is below. */
export function pathFrom(folder: string, path: string): string {
  const below = relative(folder, path);
  return !isAbsolute(path) || below === '' || below.startsWith('..') || isAbsolute(below) ? path : below;
}

/** A path in so many columns: of a longer one the end is shown, by which files are told apart. */
export function pathWithin(path: string, columns: number): string {
  if (widthOf(path) <= columns) return path;
  const reversed = Array.from(graphemesOf(path), ({ segment }) => segment).toReversed();
  const kept = truncate(reversed.join(''), columns);
  return Array.from(graphemesOf(kept), ({ segment }) => segment)
    .toReversed()
    .join('');
}
