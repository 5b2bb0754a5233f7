import { isAbsolute, relative } from 'node:path';

/** A path as somebody names it who is in a folder: relative to that where it is below. */
export function pathFrom(folder: string, path: string): string {
  const below = relative(folder, path);
  return !isAbsolute(path) || below === '' || below.startsWith('..') || isAbsolute(below) ? path : below;
}
