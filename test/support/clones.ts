import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { newUser } from './command.js';
import { temporaryFolder } from './folders.js';
import { expand, newWorkplace, workplace } from './worked-plan.js';
import type { Workplace } from './worked-plan.js';

/** A clone of a repository with a plan in it. */
export interface Clone extends Workplace {
  git(...args: readonly string[]): string;
  commit(message: string): void;
}

const CONFIG = [
  'user.name=a',
  'user.email=a@b.c',
  'commit.gpgsign=false',
  'init.defaultBranch=main',
  'gc.auto=0',
  'maintenance.auto=false',
];

/** A user's folder with git in it. */
export function withGit(place: Workplace): Clone {
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...CONFIG.flatMap((one) => ['-c', one]), ...args], {
      cwd: place.folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: place.home, GIT_EDITOR: 'true' },
    });
  return {
    ...place,
    git,
    commit(message) {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
    },
  };
}

/** Two clones of a repository with a plan of three atomic goals and `d`, which is to be divided. */
export async function twoClones(): Promise<readonly [Clone, Clone]> {
  const first = withGit(await newWorkplace());
  await first.change(expand('root', ['a', 'b', 'c'], ['d']));
  first.git('init', '-q');
  first.commit('a plan');
  const folder = join(temporaryFolder(), 'clone');
  execFileSync('git', ['clone', '-q', first.folder, folder]);
  return [first, withGit(workplace(newUser(folder)))];
}

/** Each takes in what the other has, so that each has a merge of its own, made in its own direction. */
export function mergeBothWays(one: Clone, two: Clone): void {
  one.git('fetch', '-q', two.folder, 'HEAD');
  two.git('fetch', '-q', one.folder, 'HEAD');
  one.git('merge', '-q', '--no-edit', 'FETCH_HEAD');
  two.git('merge', '-q', '--no-edit', 'FETCH_HEAD');
}
