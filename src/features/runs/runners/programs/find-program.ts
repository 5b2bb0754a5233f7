import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, dirname, resolve } from 'node:path';

/** Where systems keep their own programs. */
const SYSTEM = new Set([
  '/bin',
  '/usr/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/run/current-system/sw/bin',
]);
/** Programs of the system that run nothing of what they are given; what they look at may change. */
const LOOKING =
  /^(?:cat|head|tail|wc|ls|stat|test|\[|grep|egrep|fgrep|diff|cmp|echo|printf|cksum|md5sum|sha\d+sum|readlink|realpath|du)$/;

/** The folders of a `PATH`, in order. An empty part of it is the folder that the program runs in. */
export function foldersOfPath(path: string, folder: string): readonly string[] {
  return path === '' ? [] : [...new Set(path.split(delimiter).map((part) => resolve(folder, part)))];
}

/**
 * Finds the program of a command line as the child that is started with these variables in this folder does: by a path that has
 * a slash, else the first file of that name on `PATH` that may be run. Null where there is none.
 */
export function findProgram(name: string, folders: readonly string[], folder: string): string | null {
  if (name.includes('/')) return resolve(folder, name);
  return folders.map((one) => resolve(one, name)).find(mayBeRun) ?? null;
}

function mayBeRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Whether a program that was found is one of the system's own that only look at what they are given. */
export function isLooking(program: string | null): boolean {
  return program !== null && SYSTEM.has(dirname(program)) && LOOKING.test(basename(program));
}
