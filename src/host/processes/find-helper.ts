import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

import { realFolder } from '../files/folders.js';
import { isBelow } from '../files/is-below.js';
import { workingTreesAround } from '../git/git-folder.js';

/** Whose programs are looked for, and where a stranger may have put some. */
export interface HelperSearch {
  /** The environment variables of the user; none of them comes from a file that somebody brought. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** A folder that a stranger may have written, such as the workspace: no helper is taken from it, nor from the repositories around it. */
  readonly folder: string | null;
}

/** Where programs are when there is no PATH. */
const NO_PATH = ['/usr/bin', '/bin'].join(delimiter);

/**
 * Finds a program that frctl itself runs (git, bwrap, ssh-keygen, tmux …) by the PATH of the user.
 * @returns its absolute path; null where there is none
 */
export function findHelper(name: string, search: HelperSearch): string | null {
  const file = process.platform === 'win32' && !/\.\w+$/.test(name) ? `${name}.exe` : name;
  const found = helperFolders(search).map((folder) => join(folder, file));
  return found.find(isProgram) ?? null;
}

/** The PATH that a helper gets for what it starts itself: that of the user, without what a stranger may have written. */
export function helperPath(search: HelperSearch): string {
  return helperFolders(search).join(delimiter);
}

/**
 * The folders of the user's PATH. What is relative, or empty, means another folder in each repository, and what lies in the
 * stranger's folder, or in a working tree around it, is the stranger's, unless that is the whole home of the user.
 */
function helperFolders({ variables, folder }: HelperSearch): readonly string[] {
  const path = variables.PATH ?? variables.Path ?? NO_PATH;
  const home = realFolder(variables.HOME ?? homedir());
  const foreign = (folder === null ? [] : [realFolder(folder), ...workingTreesAround(folder)]).filter(
    (one) => one !== home && !isBelow(home, one),
  );
  return path.split(delimiter).filter((entry) => {
    if (!isAbsolute(entry)) return false;
    const real = realFolder(entry);
    return !foreign.some((one) => real === one || isBelow(real, one));
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
