import { statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { workingTreeOf } from './git-folder.js';
import { runGit } from './run-git.js';

const MOST_ENTRIES = 200;
const MOST_COMMITS = 20;
const MOST_BYTES = 512 * 1024 * 1024;

/** What git did to the working tree since a moment, on purpose: it looked at another state than before. */
export interface GitAction {
  /** As the reflog has it, such as `reset: moving to HEAD`. */
  readonly name: string;
  /** Where HEAD was then and after, newest first. */
  readonly commits: readonly string[];
}

/** Entries of a reflog after which every change of before is still there. */
const KEEPS_CHANGES = /^(commit|merge|pull|clone|cherry-pick|am|initial pull|branch)\b/;
/** A pull that rebases moves HEAD elsewhere first. */
const MOVES_AWAY = / \((start|finish|pick|continue|abort|skip|reword|edit|squash|fixup)\): /;

/**
 * What git did since a moment that took HEAD, or the files, elsewhere: a checkout, a reset, a stash, a rebase. A
 * commit, or a merge that git gave up, is nothing of the kind.
 * @param git the folder that git keeps for this working tree
 * @param folder a folder of the working tree
 * @param since milliseconds since 1970
 * @returns null when there was nothing of the kind; `unknown` when git does not say
 */
export async function actionSince(
  git: string,
  folder: string,
  since: number,
): Promise<GitAction | 'unknown' | null> {
  const reflog = statSync(join(git, 'logs', 'HEAD'), { throwIfNoEntry: false });
  if (reflog !== undefined && reflog.mtimeMs < since) return null;
  const format = '--format=%H%x09%gd%x09%gs';
  const said = await ask(workingTreeOf(folder)?.top, [
    'log',
    '-g',
    '--no-show-signature',
    '--date=unix',
    format,
    `-${MOST_ENTRIES}`,
    'HEAD',
    '--',
  ]);
  if (said === null) return 'unknown';
  const entries = said.toString('utf8').split('\n').flatMap(readEntry);
  // Entries tell the second; one of the same second may be the later one.
  const later = entries.filter(({ at }) => at >= Math.floor(since / 1000));
  const action = later.find(({ name }) => !KEEPS_CHANGES.test(name) || MOVES_AWAY.test(name));
  if (action === undefined) return null;
  const commits = entries.slice(0, later.length + 1).map(({ commit }) => commit);
  return { name: action.name, commits: [...new Set(commits)].slice(0, MOST_COMMITS) };
}

/**
 * A file as a commit in git's history has it.
 * @param folder the folder that the file is in
 * @returns null when the commit does not have it, or nothing leads to the commit any more, so that git will drop it
 */
export async function committedFile(folder: string, name: string, commit: string): Promise<Buffer | null> {
  const heads = await ask(workingTreeOf(folder)?.top, [
    'for-each-ref',
    '--count=1',
    '--format=%(refname)',
    '--contains',
    commit,
  ]);
  return heads === null || heads.length === 0 ? null : fileAt(folder, name, commit);
}

/** Returns a file as the commit has it that is checked out; null when that does not have it. */
export async function fileOfHead(folder: string, name: string): Promise<Buffer | null> {
  return fileAt(folder, name, 'HEAD');
}

async function fileAt(folder: string, name: string, commit: string): Promise<Buffer | null> {
  const tree = workingTreeOf(folder);
  if (tree === null) return null;
  const path = tree.prefix === '' ? name : `${tree.prefix}/${name}`;
  return ask(tree.top, ['cat-file', 'blob', `${commit}:${path}`]);
}

function readEntry(
  line: string,
): readonly { readonly commit: string; readonly at: number; readonly name: string }[] {
  const [commit, selector, ...name] = line.split('\t');
  const at = /@\{(\d+)\}$/.exec(selector ?? '')?.[1];
  return commit === undefined || at === undefined ? [] : [{ commit, at: Number(at), name: name.join('\t') }];
}

/** What git answers, or null when it does not. */
async function ask(top: string | undefined, args: readonly string[]): Promise<Buffer | null> {
  if (top === undefined) return null;
  return runGit(args, { top, variables: process.env, mostBytes: MOST_BYTES }).catch(() => null);
}
