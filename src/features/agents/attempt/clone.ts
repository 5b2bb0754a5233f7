import { randomUUID } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { isBelow } from '../../../host/files/is-below.js';
import { gitIn } from './git.js';
import type { Git } from './git.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** The folders of an attempt. */
export interface Places {
  readonly folder: string;
  /** frctl's own git folder, outside the tree: that of the agent is never asked. */
  readonly git: string;
  readonly tree: string;
  readonly home: string;
  /** A fresh checkout of what lands, in which no agent has been. */
  readonly check: string;
  readonly result: string;
}

/** Returns the folders of an attempt. */
export function placesOf(folder: string): Places {
  const home = join(folder, 'home');
  return {
    folder,
    git: join(folder, 'git'),
    tree: join(folder, 'tree'),
    home,
    check: join(folder, 'check'),
    result: join(home, 'frctl-result.json'),
  };
}

/** Returns git with frctl's own git folder and one of the trees beside it. */
export function ownGit({ git }: Places, tree: string, variables: Variables): Git {
  // The agent gets a copy of the index, which must be whole.
  const settings = ['-c', 'core.bare=false', '-c', 'core.splitIndex=false'];
  return gitIn(null, variables, [...settings, `--git-dir=${git}`, `--work-tree=${tree}`]);
}

/** Makes the trees of an attempt anew, at a commit; the objects stay where they are. */
export async function makeTrees(
  places: Places,
  { from, branch, copy, top, objects, variables }: TreeOptions,
): Promise<void> {
  const { git, tree, home } = places;
  await removeTrees(places);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const head = `--initial-branch=${branch}`;
  await gitIn(null, variables)(['init', '--quiet', '--bare', '--template=', head, git]);
  await writeFile(join(git, 'objects', 'info', 'alternates'), `${objects}\n`);
  await checkOut(places, tree, from, variables);
  await ownGit(places, tree, variables)(['update-ref', `refs/heads/${branch}`, from]);
  // The agent's own repository: a copy that it may do with as it likes.
  const inner = join(tree, '.git');
  await cp(git, inner, { recursive: true });
  await writeFile(join(inner, 'config'), AGENTS_CONFIG, { flag: 'a' });
  await copyFiles(top, tree, copy);
}

export interface TreeOptions {
  readonly from: string;
  readonly branch: string;
  /** Ignored files that the agent gets, relative to the working tree. */
  readonly copy: readonly string[];
  readonly top: string;
  /** The folder of the user's objects. */
  readonly objects: string;
  readonly variables: Variables;
}

/** It may commit; whose commits these are matters to nobody. */
const AGENTS_CONFIG = '[core]\n\tbare = false\n[user]\n\tname = agent\n\temail = agent@localhost\n';

/** Copies files that are not in the repository; those that are not there are left out. */
async function copyFiles(top: string, tree: string, copy: readonly string[]): Promise<void> {
  for (const name of copy) {
    const [source, target] = [resolve(top, name), resolve(tree, name)];
    if (!isBelow(source, top) || !isBelow(target, tree) || (await leadsThroughLink(tree, name))) continue;
    await mkdir(dirname(target), { recursive: true });
    await cp(source, target, { recursive: true, errorOnExist: false, force: true }).catch(() => undefined);
  }
}

/** Whether a part of a path in a tree is a link, which the repository may have brought. */
async function leadsThroughLink(tree: string, name: string): Promise<boolean> {
  const parts = name.split('/');
  for (const index of parts.keys()) {
    const found = await lstat(join(tree, ...parts.slice(0, index + 1))).catch(() => null);
    if (found?.isSymbolicLink() === true) return true;
  }
  return false;
}

/** Checks a commit out into a folder that is made anew. */
export async function checkOut(
  places: Places,
  tree: string,
  commit: string,
  variables: Variables,
): Promise<void> {
  await removeAll(tree);
  await mkdir(tree, { recursive: true });
  await rm(join(places.git, 'index'), { force: true });
  await ownGit(places, tree, variables)(['read-tree', '-m', '-u', commit]);
}

/** Removes all of an attempt but what is written down of it, and what else is kept. */
export async function removeTrees({ folder }: Places, kept: readonly string[] = []): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (name !== 'attempt.json' && !kept.includes(name)) await removeAll(join(folder, name));
}

/** Removes a file or folder with all in it, whatever an agent has made of it. */
async function removeAll(path: string): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch (thrown) {
    if ((await lstat(path)).isDirectory()) await makeRemovable(path);
    else throw thrown;
    await remove();
  }
}

/** Characters of a path above which its folder is moved up: the system takes 4,095 bytes, 3 a character. */
const LONG = 1000;

/** Opens folders that nobody may enter, and moves up those that are so deep that no path leads to what is in them. */
async function makeRemovable(top: string): Promise<void> {
  const folders = [top];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    await chmod(folder, 0o700);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const path = join(folder, entry.name);
      const near = path.length > LONG ? join(top, randomUUID()) : path;
      if (near !== path) {
        await chmod(path, 0o700);
        await rename(path, near);
      }
      folders.push(near);
    }
  }
}
