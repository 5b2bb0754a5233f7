import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { readPlainFile } from '../../../host/files/plain-file.js';
import { gitPaths } from './git.js';
import type { Git } from './git.js';

const MOST_BYTES = 1024 * 1024;
/** What is there while git is in the middle of something on the branch that is checked out. */
const MIDDLES = [
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['sequencer/todo', 'cherry-pick'],
  ['rebase-apply/applying', 'am'],
] as const;

/** Returns, in words for people, what git is in the middle of with a branch in any working tree; null where with nothing. */
export async function underWay(git: Git, top: string, branch: string): Promise<string | null> {
  const [packed = ''] = await gitPaths(git, top, ['packed-refs']);
  const common = dirname(packed);
  const others = await readdir(join(common, 'worktrees')).catch(() => []);
  const folders = [common, ...others.map((name) => join(common, 'worktrees', name))];
  for (const folder of folders) {
    const what = await middleOf(folder, branch);
    if (what === null) continue;
    const place = (await read(folder, 'gitdir')) ?? common;
    return `git ${what} of ${branch} is not finished in ${dirname(place)}: end it there (\`git status\` says how), and accept the attempt`;
  }
  return null;
}

async function middleOf(folder: string, branch: string): Promise<string | null> {
  const ref = `refs/heads/${branch}`;
  const held = [
    await read(folder, 'rebase-merge/head-name'),
    await read(folder, 'rebase-apply/head-name'),
    ...((await read(folder, 'rebase-merge/update-refs')) ?? '').split('\n'),
  ];
  if (held.includes(ref)) return 'rebase';
  const bisected = await read(folder, 'BISECT_START');
  if (bisected === branch || bisected === ref) return 'bisect';
  if ((await read(folder, 'HEAD')) !== `ref: ${ref}`) return null;
  return MIDDLES.find(([name]) => existsSync(join(folder, name)))?.[1] ?? null;
}

async function read(folder: string, name: string): Promise<string | null> {
  const text = await readPlainFile(join(folder, name), MOST_BYTES).catch(() => null);
  return text?.trimEnd() ?? null;
}
