import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { isBelow } from '../../../../host/files/is-below.js';
import { workingTreesAround } from '../../../../host/git/git-folder.js';
import { namedByRepository } from './named-by-repository.js';
import type { AwaitedPlace, NamedByRepository } from './named-by-repository.js';
import { isRepositoryName, isRunByName } from './run-by-name.js';

/** Where it is looked. All are real paths. */
export interface SearchedWorkspace {
  readonly root: string;
  /** Folders that are not looked into, such as the store. */
  readonly skip: readonly string[];
  /** The home of the user, in which every name with a dot counts; it matters where it lies within the workspace. */
  readonly home: string;
  /** The variables of the user. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Places of a workspace that must not be written. */
export interface PlacesToKeep {
  /** Real paths below the root that are there, none of them below another. */
  readonly there: readonly string[];
  /** What is not there, and would run by its name if it were made. */
  readonly absent: readonly AwaitedPlace[];
}

/** What a bare repository is known by, and what of one names what runs. */
const HEAD = 'HEAD';
const OF_BARE = [HEAD, 'config', 'config.worktree', 'commondir', 'hooks'];
/** Folders that are read at the same time. */
const AT_ONCE = 32;
/** Repositories of which git is asked at the same time. */
const REPOSITORIES_AT_ONCE = 8;

/**
 * Finds what in a workspace is run by its name later, or says what is run: repositories at any depth, and at their tops
 * and the top of the workspace what shells, editors, agents and hooks look for. No link is followed.
 * @param closed asked for what is in a folder that cannot be read
 * @returns paths, some of which may be links; of a bare repository its `HEAD`
 */
export async function findRunByName(
  { root, skip, home }: Omit<SearchedWorkspace, 'variables'>,
  closed: (folder: string) => Promise<readonly Dirent[]>,
): Promise<readonly string[]> {
  const found: string[] = [];
  const skipped = new Set(skip);
  const open = [root];
  while (open.length > 0) {
    const now = open.splice(-AT_ONCE);
    const read = await Promise.all(
      now.map((folder) => readdir(folder, { withFileTypes: true }).catch(() => closed(folder))),
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
 * that the configuration or the hooks of a repository name, also of those around the workspace.
 */
export async function placesToKeep(
  found: readonly string[],
  { root, variables }: Pick<SearchedWorkspace, 'root' | 'variables'>,
): Promise<PlacesToKeep> {
  const named = found.flatMap((path) => {
    if (basename(path) !== HEAD) return [path];
    const folder = dirname(path);
    return folder === root ? OF_BARE.map((name) => join(root, name)) : [folder];
  });
  const folders = named
    .filter((path) => basename(path).toLowerCase() === '.git')
    .map((path) => dirname(path));
  const tops = new Set([...folders, root, ...workingTreesAround(root)]);
  const more: NamedByRepository[] = [];
  const open = [...tops];
  while (open.length > 0) {
    const now = open.splice(-REPOSITORIES_AT_ONCE);
    for (const one of await Promise.all(now.map((top) => namedByRepository(top, variables)))) more.push(one);
  }
  const places = [...named, ...more.flatMap(({ there }) => there)];
  const real = await Promise.all(places.map((path) => realpath(path).catch(() => null)));
  const within = real.filter((path): path is string => path !== null && isBelow(path, root));
  const sorted = [...new Set(within)].toSorted((a, b) => a.length - b.length);
  const kept: string[] = [];
  const taken = new Set<string>();
  for (const path of sorted) {
    if (foldersAbove(path, root).some((one) => taken.has(one))) continue;
    kept.push(path);
    taken.add(path);
  }
  const absent = more.flatMap((one) => one.absent).filter(({ path }) => isBelow(path, root));
  return { there: kept, absent };
}

/** The folders between a path and a root, the nearest first; neither of the two. */
export function foldersAbove(path: string, root: string): readonly string[] {
  const above: string[] = [];
  for (let folder = dirname(path); isBelow(folder, root); folder = dirname(folder)) above.push(folder);
  return above;
}
