import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { monotonicNow } from '../monotonic-clock.js';

/** Git writes files one after the other, in several processes; so long after the last one it is taken to be done. */
const REST_MS = 1000;
/** What is there while git goes from one state to another, and also while a person mends what it could not. */
const UNDER_WAY = ['rebase-merge', 'rebase-apply', 'MERGE_AUTOSTASH'];
const REST_UNDER_WAY_MS = 2000;
/** The lock of a git that was killed stays behind. */
const OLD_LOCK_MS = 30_000;
/** Longer than this nobody is kept waiting for git. */
const LONGEST_WAIT_MS = 10_000;
const STEP_MS = 10;

/** Where a folder is in a working tree of git. */
export interface WorkingTree {
  /** The folder in which git keeps what belongs to this working tree; for a linked one it is elsewhere. */
  readonly git: string;
  readonly top: string;
  /** The folder as seen from the top, with `/`; empty for the top. */
  readonly prefix: string;
}

/**
 * The working tree around a folder, links in its path followed as git does it; null outside of git. An empty `.git` is none,
 * to git neither, and is there while a command runs in a sandbox.
 */
export function workingTreeOf(folder: string): WorkingTree | null {
  const real = realFolderOf(folder);
  for (let top = real; ; top = dirname(top)) {
    const candidate = join(top, '.git');
    const found = statSync(candidate, { throwIfNoEntry: false });
    const isRepository = found?.isDirectory() === true && existsSync(join(candidate, 'HEAD'));
    const git = isRepository ? candidate : found?.isFile() === true ? folderNamedIn(candidate) : null;
    if (git !== null) return { git, top, prefix: relative(top, real).split(sep).join('/') };
    if (found?.isFile() === true || dirname(top) === top) return null;
  }
}

/** The tops of all working trees around a folder, from the inside out: one may lie in another. */
export function workingTreesAround(folder: string): readonly string[] {
  const top = workingTreeOf(folder)?.top;
  if (top === undefined) return [];
  return [top, ...(dirname(top) === top ? [] : workingTreesAround(dirname(top)))];
}

/** The folder in which git keeps what belongs to the working tree around a folder; null outside of git. */
export function gitFolderOf(folder: string): string | null {
  return workingTreeOf(folder)?.git ?? null;
}

/**
 * Waits while git is changing the working tree that a log is in. A merge that git gives up sets every file back and
 * then puts what was changed in its place again; what is written to one of them in between makes it leave that out,
 * with all other changes of the user. Waits for ten seconds at most.
 * @param log the path of an event log that git has just replaced another one with
 * @param enough ends the waiting at once: somebody else has seen to it
 */
export async function waitForGit(git: string, log: string, enough: () => boolean): Promise<void> {
  const end = monotonicNow() + LONGEST_WAIT_MS;
  while (monotonicNow() < end && isBusy(git, log) && !enough()) await wait(STEP_MS);
}

/** Whether git is changing files, or has just done so. */
export function isBusy(git: string, log: string): boolean {
  const now = Date.now();
  const lock = lstatSync(join(git, 'index.lock'), { throwIfNoEntry: false });
  if (lock !== undefined && now - lock.mtimeMs < OLD_LOCK_MS) return true;
  const written = changeOf(log);
  if (written === null) return false;
  const age = Math.abs(now - written);
  if (UNDER_WAY.some((name) => changeOf(join(git, name)) !== null)) return age < REST_UNDER_WAY_MS;
  // Where git has moved HEAD since, or noted that it stays, it is done.
  return age < REST_MS && (changeOf(join(git, 'logs', 'HEAD')) ?? 0) <= written;
}

function changeOf(path: string): number | null {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function realFolderOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // Nothing is there yet, and git would not begin there either.
    return resolve(folder);
  }
}

/** Where a `.git` file says that the folder is. */
function folderNamedIn(file: string): string | null {
  const named = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(file, 'utf8').slice(0, 4096))?.[1];
  return named === undefined ? null : resolve(dirname(file), named);
}
