import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
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

/** Puts a commit onto the base as it is, without a working tree. */
export async function mergeOnto(
  git: Git,
  {
    branch,
    commit,
    message,
    identity,
  }: {
    readonly branch: string;
    readonly commit: string;
    readonly message: string;
    readonly identity: readonly string[];
  },
): Promise<Merge> {
  const onto = await headOf(git, branch);
  const parent = (await git(['rev-parse', `${commit}^`])).trim();
  if (parent === onto) return { kind: 'merged', onto, commit };
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

/** What keeps the base from being moved. */
interface Hindrance {
  /** Files with local changes that the commit changes too. */
  readonly inTheWay: readonly string[];
  /** Locks of a git that is at work, or was killed at it. */
  readonly locks: readonly string[];
}

/**
 * Moves the base to what was checked, where it is still the commit that it was checked on. Another git at work is waited for.
 * @param top the top of the working tree
 * @returns null, or why it was not moved
 */
export async function moveBase(
  git: Git,
  top: string,
  { branch, onto, commit }: { readonly branch: string; readonly onto: string; readonly commit: string },
): Promise<'base_moved' | Hindrance | null> {
  const checkedOut = (await git.tried(['symbolic-ref', '-q', 'HEAD']))?.trim() === `refs/heads/${branch}`;
  const names = [
    'packed-refs.lock',
    `refs/heads/${branch}.lock`,
    ...(checkedOut ? ['index.lock', 'HEAD.lock'] : []),
  ];
  const locks = await locksLeft(git, top, names);
  if (locks.length > 0) return { inTheWay: [], locks };
  if ((await headOf(git, branch)) !== onto) return 'base_moved';
  if (!checkedOut) {
    await git.tried(['update-ref', `refs/heads/${branch}`, commit, onto]);
    const now = await headOf(git, branch);
    return now === commit ? null : now === onto ? { inTheWay: [], locks: [] } : 'base_moved';
  }
  const merged = await git.tried([
    'merge',
    '--ff-only',
    '--quiet',
    '--no-verify',
    '--no-stat',
    '--no-autostash',
    commit,
  ]);
  if (merged !== null) return null;
  return (await headOf(git, branch)) === onto
    ? { inTheWay: await localChanges(git, onto, commit), locks: [] }
    : 'base_moved';
}

/** Those of some locks of git that are there once another git has had the time to end. */
async function locksLeft(git: Git, top: string, names: readonly string[]): Promise<readonly string[]> {
  const printed = await git(['rev-parse', ...names.flatMap((name) => ['--git-path', name])]);
  const paths = printed.split('\n').filter((line) => line !== '');
  const left = () => paths.filter((path) => existsSync(resolve(top, path)));
  const end = monotonicNow() + LONGEST_WAIT_MS;
  while (left().length > 0 && monotonicNow() < end) await wait(STEP_MS);
  return left();
}

async function localChanges(git: Git, onto: string, commit: string): Promise<readonly string[]> {
  const landing = (await git(['diff', '--name-only', '-z', '--no-ext-diff', onto, commit])).split('\0');
  const dirty = await git([
    'status',
    '--porcelain',
    '-z',
    '--untracked-files=all',
    '--ignore-submodules=all',
  ]);
  const local = new Set(dirty.split('\0').map((line) => line.slice(3)));
  return landing.filter((path) => path !== '' && local.has(path));
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
