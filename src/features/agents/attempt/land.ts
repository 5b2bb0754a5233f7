import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { monotonicNow } from '../../../host/monotonic-clock.js';
import type { Git } from './git.js';

/** Milliseconds for which another git is waited for. */
const LONGEST_WAIT_MS = 10_000;
const STEP_MS = 100;

/** What a commit becomes on the base as it is. */
export type Merge =
  | { readonly kind: 'merged'; readonly onto: string; readonly commit: string }
  | {
      readonly kind: 'conflict';
      readonly onto: string;
      readonly tree: string;
      readonly files: readonly string[];
    };

/** Brings a commit and what it needs from one repository into another, where a reference holds it. */
export async function bringCommit(
  from: Git,
  to: Git,
  { commit, base, ref }: { readonly commit: string; readonly base: string; readonly ref: string },
): Promise<void> {
  const pack = await from.bytes(['pack-objects', '--stdout', '--revs', '-q'], `${commit}\n^${base}\n`);
  await to(['unpack-objects', '-q'], pack);
  await to(['update-ref', ref, commit]);
}

/** Puts a commit onto what the base is, without a working tree. */
export async function mergeOnto(
  git: Git,
  {
    onto,
    from,
    commit,
    message,
    identity,
  }: {
    readonly onto: string;
    /** The parent of the commit. */
    readonly from: string;
    readonly commit: string;
    readonly message: string;
    readonly identity: readonly string[];
  },
): Promise<Merge> {
  if (from === onto) return { kind: 'merged', onto, commit };
  // With a clean merge the tree alone is printed.
  const { isOk, out } = await git.answer([
    'merge-tree',
    '--write-tree',
    '--name-only',
    '-z',
    '--no-messages',
    onto,
    commit,
  ]);
  const [tree = '', ...rest] = out.split('\0').map((word) => word.trim());
  if (!isOk) return { kind: 'conflict', onto, tree, files: rest.filter((path) => path !== '') };
  const made = await git([...identity, 'commit-tree', tree, '-p', onto, '-F', '-'], message);
  return { kind: 'merged', onto, commit: made.trim() };
}

/** Returns the commit of a branch. @throws PlanError STORAGE_FAILED */
export async function headOf(git: Git, branch: string): Promise<string> {
  return (await git(['rev-parse', '--verify', `refs/heads/${branch}^{commit}`])).trim();
}

/** Returns the names of files by which git keeps others from moving a branch; the last two, where it is checked out. */
export const lockNames = (branch: string): readonly string[] => [
  'packed-refs.lock',
  `refs/heads/${branch}.lock`,
  'index.lock',
  'HEAD.lock',
];

/** What keeps the base from being moved. */
interface Hindrance {
  /** Files with local changes that the commit changes too. */
  readonly inTheWay: readonly string[];
  /** Locks of a git that is at work, or was killed at it. */
  readonly locks: readonly string[];
  /** What git says. */
  readonly said: string;
}

/**
 * Moves the base to what was checked, where it is still the commit that it was checked on. Another git at work is waited for.
 * @param locks where the files of {@link lockNames} are
 * @returns null, or why it was not moved
 */
export async function moveBase(
  git: Git,
  locks: readonly string[],
  {
    top,
    branch,
    onto,
    commit,
    begun = null,
  }: {
    /** The working tree in which the branch may be checked out. */
    readonly top: string;
    readonly branch: string;
    readonly onto: string;
    readonly commit: string;
    /** What git began to write before, and whether it may have been killed at it. */
    readonly begun?: { readonly commit: string; readonly isCut: boolean } | null;
  },
): Promise<'base_moved' | Hindrance | null> {
  const end = monotonicNow() + LONGEST_WAIT_MS;
  let isCheckedOut = false;
  for (let isLocked = true; isLocked;) {
    // The mark of the branch that is checked out, and the commit.
    const at = (await git(['for-each-ref', '--format=%(HEAD)%(objectname)', `refs/heads/${branch}`])).trim();
    isCheckedOut = at.startsWith('*');
    const left = (isCheckedOut ? locks : locks.slice(0, 2)).filter((path) => existsSync(path));
    isLocked = left.length > 0;
    if (isLocked && monotonicNow() >= end) return { inTheWay: [], locks: left, said: '' };
    if (isLocked) await wait(STEP_MS);
    else if (at.replace('*', '') !== onto) return 'base_moved';
  }
  if (!isCheckedOut) {
    const { said } = await git.answer(['update-ref', `refs/heads/${branch}`, commit, onto]);
    const now = await headOf(git, branch);
    return now === commit ? null : now === onto ? { inTheWay: [], locks: [], said } : 'base_moved';
  }
  const paths = (await git(['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', onto, commit]))
    .split('\0')
    .filter((path) => path !== '');
  let before = await localChanges(git, paths);
  if (before.length > 0 && begun !== null) {
    await takeBack(git, before, { top, onto, ...begun });
    before = await localChanges(git, paths);
  }
  const { isOk, said } = await git.answer([
    'merge',
    '--ff-only',
    '--quiet',
    '--no-verify',
    '--no-stat',
    '--no-autostash',
    commit,
  ]);
  if (isOk) return null;
  if ((await headOf(git, branch)) !== onto) return 'base_moved';
  // A filter that fails or a disk that is full ends git in the middle, and what it has written would be in the way for ever.
  if (before.length === 0)
    await takeBack(git, await localChanges(git, paths), { top, onto, commit, isCut: true });
  return { inTheWay: before, locks: [], said };
}

/** As many paths are told git at once. */
const MOST_NAMED = 1000;

/** What differs from the base, or is new, in these places: a path, or what stands below or above one. */
async function localChanges(git: Git, paths: readonly string[]): Promise<readonly string[]> {
  const places = paths.length > MOST_NAMED ? ['.'] : paths;
  if (places.length === 0) return [];
  const printed = await git([
    '--literal-pathspecs',
    'status',
    '--porcelain',
    '-z',
    '--no-renames',
    '--untracked-files=all',
    '--ignore-submodules=all',
    '--',
    ...places,
  ]);
  const dirty = printed.split('\0').flatMap((line) => (line === '' ? [] : [line.slice(3)]));
  if (places === paths) return dirty;
  const landing = new Set(paths);
  return dirty.filter((path) => landing.has(path));
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
    const found = await readFile(join(top, path)).catch(() => null);
    const isWritten = async (word: string) => {
      const written = await git.bytes(['cat-file', word, `${commit}:${path}`]).catch(() => null);
      const part = isCut ? written?.subarray(0, found?.length) : written;
      return found !== null && part?.equals(found) === true;
    };
    if (found !== null && !(await isWritten('blob')) && !(await isWritten('--filters'))) continue;
    if ((await git.tried(['--literal-pathspecs', 'checkout', '--quiet', onto, '--', path])) === null)
      await rm(join(top, path), { force: true });
  }
}

/** Whether a commit of an attempt is in a branch, by the trailer that it bears. */
export async function isLanded(
  git: Git,
  { branch, token, from }: { readonly branch: string; readonly token: string; readonly from: string },
): Promise<boolean> {
  const found = await git([
    'log',
    '-1',
    '--format=%H',
    '--fixed-strings',
    `--grep=Plan-Attempt: ${token}`,
    `${from}..refs/heads/${branch}`,
    '--',
  ]);
  return found.trim() !== '';
}
