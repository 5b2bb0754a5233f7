import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

import { isBelow } from '../../../../host/files/is-below.js';
import { gitFolderOf } from '../../../../host/git/git-folder.js';
import { isRepositoryName, isRunByName } from './run-by-name.js';

/** Where it is looked. All are real paths. */
export interface SearchedWorkspace {
  readonly root: string;
  /** Folders that are not looked into, such as the store. */
  readonly skip: readonly string[];
  /** The home of the user, in which every name with a dot counts; it matters where it lies within the workspace. */
  readonly home: string;
}

/** What a bare repository is known by, and what of one names what runs. */
const HEAD = 'HEAD';
const OF_BARE = [HEAD, 'config', 'config.worktree', 'commondir', 'hooks'];
/** Folders that are read at the same time. */
const AT_ONCE = 32;
/** The longest configuration that is looked into, in bytes. */
const MOST_CONFIG = 256 * 1024;

/**
 * Finds what in a workspace is run by its name later, or says what is run: repositories at any depth, and at their tops
 * and the top of the workspace what shells, editors, agents and hooks look for. No link is followed.
 * @returns paths, some of which may be links; of a bare repository its `HEAD`
 */
export async function findRunByName({ root, skip, home }: SearchedWorkspace): Promise<readonly string[]> {
  const found: string[] = [];
  const skipped = new Set(skip);
  const open = [root];
  while (open.length > 0) {
    const now = open.splice(-AT_ONCE);
    const read = await Promise.all(
      now.map((folder) => readdir(folder, { withFileTypes: true }).catch(() => [])),
    );
    for (const [index, entries] of read.entries()) {
      const folder = now[index] ?? root;
      if (isBare(entries)) {
        found.push(join(folder, HEAD));
        if (folder !== root) continue;
      }
      const isTop = folder === root || entries.some(({ name }) => isRepositoryName(name));
      for (const entry of entries) {
        const path = join(folder, entry.name);
        const counts =
          isRepositoryName(entry.name) ||
          (isTop && isRunByName(entry.name)) ||
          (folder === home && entry.name.startsWith('.'));
        if (skipped.has(path)) continue;
        if (counts) found.push(path);
        else if (entry.isDirectory()) open.push(path);
      }
    }
  }
  return found;
}

/** Whether git takes a folder itself for a repository. */
function isBare(entries: readonly Dirent[]): boolean {
  const names = new Set(entries.map(({ name }) => name));
  return names.has(HEAD) && (names.has('commondir') || (names.has('objects') && names.has('refs')));
}

/**
 * Finds the places that must not be written so that what runs by name stays as it is: those that were found, what links
 * among them lead to, the folder of a repository that lies elsewhere in the workspace, and the files of the workspace
 * that its configuration or a link among its hooks names.
 * @returns real paths below the root that are there, none of them below another
 */
export async function placesToKeep(found: readonly string[], root: string): Promise<readonly string[]> {
  const named = found.flatMap((path) => {
    if (basename(path) !== HEAD) return [path];
    const folder = dirname(path);
    return folder === root ? OF_BARE.map((name) => join(root, name)) : [folder];
  });
  const folders = named
    .filter((path) => basename(path).toLowerCase() === '.git')
    .map((path) => dirname(path));
  const more = await Promise.all(folders.map((top) => namedByRepository(top)));
  const real = await Promise.all([...named, ...more.flat()].map((path) => realpath(path).catch(() => null)));
  const within = real.filter((path): path is string => path !== null && isBelow(path, root));
  const sorted = [...new Set(within)].toSorted((a, b) => a.length - b.length);
  const kept: string[] = [];
  const taken = new Set<string>();
  for (const path of sorted) {
    if (foldersAbove(path, root).some((one) => taken.has(one))) continue;
    kept.push(path);
    taken.add(path);
  }
  return kept;
}

/** The folders between a path and a root, the nearest first; neither of the two. */
export function foldersAbove(path: string, root: string): readonly string[] {
  const above: string[] = [];
  for (let folder = dirname(path); isBelow(folder, root); folder = dirname(folder)) above.push(folder);
  return above;
}

/** What the repository of a working tree names that runs with it. */
async function namedByRepository(top: string): Promise<readonly string[]> {
  const git = gitFolderOf(top);
  if (git === null) return [];
  const common = await readFile(join(git, 'commondir'), 'utf8').catch(() => '.');
  const shared = resolve(git, common.trim());
  const texts = await Promise.all(
    [join(shared, 'config'), join(git, 'config.worktree')].map(async (path) => {
      const size = (await stat(path).catch(() => null))?.size ?? 0;
      return size > MOST_CONFIG ? '' : readFile(path, 'utf8').catch(() => '');
    }),
  );
  const words = texts.flatMap((text) => text.split('\n')).flatMap(wordsOfSetting);
  const paths = [...new Set(words)].flatMap(({ word, mayBeFolder }) =>
    [top, git, shared].map((folder) => ({ path: resolve(folder, word), mayBeFolder })),
  );
  const checked = await Promise.all(
    paths.map(async ({ path, mayBeFolder }) => {
      const there = await stat(path).catch(() => null);
      return there !== null && (there.isFile() || mayBeFolder) ? [path] : [];
    }),
  );
  return [git, shared, ...checked.flat(), ...(await linkedHooks(join(shared, 'hooks')))];
}

/** What may be the name of a file in a line of a configuration of git; a setting that names a folder of hooks is one. */
function wordsOfSetting(line: string): readonly { readonly word: string; readonly mayBeFolder: boolean }[] {
  const equals = line.indexOf('=');
  if (equals === -1) return [];
  const mayBeFolder = line.slice(0, equals).trim().toLowerCase() === 'hookspath';
  const words = line
    .slice(equals + 1)
    .split(/[\s"'`!;|&()<>=]/)
    .filter((word) => word !== '');
  return words.map((word) => ({ word, mayBeFolder }));
}

async function linkedHooks(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const paths = names.map((name) => join(folder, name));
  const links = await Promise.all(
    paths.map(async (path) => (await lstat(path).catch(() => null))?.isSymbolicLink() === true),
  );
  return paths.filter((_path, index) => links[index]);
}
