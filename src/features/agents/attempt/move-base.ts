import { existsSync } from 'node:fs';
import { lstat, readFile, readlink, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { firstOf } from '../../../kernel/text/first-of.js';
import { monotonicNow } from '../../../host/monotonic-clock.js';
import { gitIn, gitPaths } from './git.js';
import type { Git } from './git.js';
import { changedBetween, findHead } from './land.js';
import { underWay } from './under-way.js';
import type { Work } from './work.js';

/** Milliseconds for which another git is waited for. */
const LONGEST_WAIT_MS = 10_000;
const STEP_MS = 100;
/** As many paths are told git at once. */
const MOST_AT_ONCE = 500;

/** Files by which git keeps others from moving a branch; the last two, where it is checked out. */
const lockNames = (branch: string): readonly string[] => [
  'packed-refs.lock',
  `refs/heads/${branch}.lock`,
  'index.lock',
  'HEAD.lock',
];

/**
 * Moves the base to what was checked, where it is still the commit that it was checked on, and the files of the working tree
 * that it is checked out in. Another git at work is waited for.
 * @returns null, or why it was not moved: `base_moved`, or in words for people
 */
export async function moveBase(
  { git, top, variables }: Pick<Work, 'git' | 'top' | 'variables'>,
  {
    branch,
    onto,
    commit,
    begun = null,
  }: {
    readonly branch: string;
    readonly onto: string;
    readonly commit: string;
    /** What git began to write before, and whether it may have been killed at it. */
    readonly begun?: { readonly commit: string; readonly isCut: boolean } | null;
  },
): Promise<'base_moved' | { readonly why: string } | null> {
  const ref = `refs/heads/${branch}`;
  const tree = (await git(['for-each-ref', '--format=%(worktreepath)', ref])).trimEnd();
  if (tree !== '' && !existsSync(tree))
    return { why: `${branch} is checked out in ${tree}, which is not there (\`git worktree prune\`)` };
  const there = tree === '' ? git : gitIn(tree, variables);
  const paths = await gitPaths(there, tree === '' ? top : tree, lockNames(branch));
  const locks = tree === '' ? paths.slice(0, 2) : paths;
  const end = monotonicNow() + LONGEST_WAIT_MS;
  for (;;) {
    const left = locks.filter((path) => existsSync(path));
    if (left.length === 0) break;
    if (monotonicNow() >= end)
      return {
        why: `git is at work, or was killed: once none runs, remove ${left.join(', ')} and accept the attempt`,
      };
    await wait(STEP_MS);
  }
  const busy = await underWay(git, top, branch);
  if (busy !== null) return { why: busy };
  if ((await findHead(git, branch)) !== onto) return 'base_moved';
  if (tree !== '') return moveFiles(there, { tree, branch, onto, commit, begun });
  const { said } = await git.answer(['update-ref', ref, commit, onto]);
  const now = await findHead(git, branch);
  return now === commit ? null : now === onto ? refusedByGit(said) : 'base_moved';
}

const refusedByGit = (said: string) => ({ why: `git refuses to move the base: ${said}` });

/** Moves a branch and the files of the tree that it is checked out in, over nothing that the base does not have. */
async function moveFiles(
  git: Git,
  {
    tree,
    branch,
    onto,
    commit,
    begun,
  }: {
    readonly tree: string;
    readonly branch: string;
    readonly onto: string;
    readonly commit: string;
    readonly begun: { readonly commit: string; readonly isCut: boolean } | null;
  },
): Promise<'base_moved' | { readonly why: string } | null> {
  const paths = await changedBetween(git, onto, commit);
  let inTheWay = await localChanges(git, tree, paths);
  if (inTheWay.length > 0 && begun !== null) {
    await takeBack(git, inTheWay, { top: tree, onto, ...begun });
    inTheWay = await localChanges(git, tree, paths);
  }
  if (inTheWay.length > 0) return { why: `local changes are in the way: ${firstOf(inTheWay)}` };
  // What appears since then is not overwritten either.
  const merge = ['merge', '--ff-only', '--no-overwrite-ignore', '--quiet', '--no-verify', '--no-stat'];
  const { isOk, said } = await git.answer([...merge, '--no-autostash', commit]);
  if (isOk) return null;
  if ((await findHead(git, branch)) !== onto) return 'base_moved';
  // A filter that fails or a disk that is full ends git in the middle, and what it has written would be in the way for ever.
  await takeBack(git, await localChanges(git, tree, paths), { top: tree, onto, commit, isCut: true });
  return refusedByGit(said);
}

/** What differs from the base, or is new, ignored or not, in these places: a path, or what stands below or above one. */
async function localChanges(git: Git, top: string, paths: readonly string[]): Promise<readonly string[]> {
  const places = [...paths, ...(await filesAbove(top, paths))];
  const found: string[] = [];
  for (let index = 0; index < places.length; index += MOST_AT_ONCE) {
    const printed = await git([
      '--literal-pathspecs',
      'status',
      '--porcelain',
      '-z',
      '--no-renames',
      '--untracked-files=all',
      '--ignored=traditional',
      '--ignore-submodules=all',
      '--',
      ...places.slice(index, index + MOST_AT_ONCE),
    ]);
    for (const line of printed.split('\0')) if (line !== '') found.push(line.slice(3));
  }
  return [...new Set(found)];
}

/** Returns what stands, as a file or link, where a path has a folder. */
async function filesAbove(top: string, paths: readonly string[]): Promise<readonly string[]> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let above = dirname(path); above !== '.' && !folders.has(above); above = dirname(above))
      folders.add(above);
  const files: string[] = [];
  for (const folder of folders) {
    const found = await lstat(join(top, folder)).catch(() => null);
    if (found !== null && !found.isDirectory()) files.push(folder);
  }
  return files;
}

/**
 * Puts files back that hold what git has written of a commit, or the beginning of that where it was cut off; whatever else they
 * hold is somebody's.
 */
async function takeBack(
  git: Git,
  paths: readonly string[],
  {
    top,
    onto,
    commit,
    isCut,
  }: { readonly top: string; readonly onto: string; readonly commit: string; readonly isCut: boolean },
): Promise<void> {
  for (const path of paths) {
    const file = join(top, path);
    const kind = await lstat(file).catch(() => null);
    if (kind?.isDirectory() === true) continue;
    const found =
      kind === null ? null : kind.isSymbolicLink() ? Buffer.from(await readlink(file)) : await readFile(file);
    const isWritten = async (word: string) => {
      const written = await git.bytes(['cat-file', word, `${commit}:${path}`]).catch(() => null);
      const part = isCut ? written?.subarray(0, found?.length) : written;
      return found !== null && part?.equals(found) === true;
    };
    if (found !== null && !(await isWritten('blob')) && !(await isWritten('--filters'))) continue;
    if ((await git.tried(['--literal-pathspecs', 'checkout', '--quiet', onto, '--', path])) === null)
      await rm(file, { force: true });
  }
}
