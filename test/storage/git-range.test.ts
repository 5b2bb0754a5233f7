import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readGitRange } from '../../src/host/git/git-range.js';
import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';

const VARIABLES = {
  PATH: process.env.PATH,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Ana',
  GIT_AUTHOR_EMAIL: 'ana@example.com',
  GIT_COMMITTER_NAME: 'Ana',
  GIT_COMMITTER_EMAIL: 'ana@example.com',
};

/** Three commits: `café/a b.txt` and `gone.txt`, then `c.txt`, then `gone.txt` away again. */
function repository() {
  const folder = temporaryFolder();
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: folder, env: VARIABLES, encoding: 'utf8' });
  git('init', '--quiet', '--initial-branch=main');
  mkdirSync(join(folder, 'café'));
  for (const name of ['café/a b.txt', 'gone.txt']) writeFileSync(join(folder, name), 'one');
  git('add', '.');
  git('commit', '--quiet', '-m', 'First: $(touch x) `y`');
  git('tag', 'start');
  writeFileSync(join(folder, 'c.txt'), 'two');
  git('add', '.');
  git('commit', '--quiet', '-m', 'Second');
  rmSync(join(folder, 'gone.txt'));
  git('add', '.');
  git('commit', '--quiet', '-m', 'Third');
  return { folder, git };
}

test('a range has its commits, oldest first, and the files that it left changed', async () => {
  const { folder, git } = repository();
  const { commits, files } = await readGitRange('start..HEAD', { folder, variables: VARIABLES });
  expect(commits.map(({ subject }) => subject)).toEqual(['Second', 'Third']);
  expect(commits[1]?.id).toBe(git('rev-parse', 'HEAD').trim());
  expect(files).toEqual(['c.txt']);
});

test('a single commit stands for itself, also the first and one with odd names', async () => {
  const { folder } = repository();
  const inside = { folder: join(folder, 'café'), variables: VARIABLES };
  const { commits, files } = await readGitRange('start', inside);
  expect(commits.map(({ subject }) => subject)).toEqual(['First: $(touch x) `y`']);
  expect(files).toEqual(['café/a b.txt', 'gone.txt']);
});

test('a merge stands for what it brought', async () => {
  const { folder, git } = repository();
  git('checkout', '--quiet', '-b', 'side', 'start');
  writeFileSync(join(folder, 'side.txt'), 'three');
  git('add', '.');
  git('commit', '--quiet', '-m', 'Side');
  git('checkout', '--quiet', 'main');
  git('merge', '--quiet', '--no-ff', '-m', 'Merge side', 'side');
  const { commits, files } = await readGitRange('HEAD', { folder, variables: VARIABLES });
  expect(commits.map(({ subject }) => subject)).toEqual(['Merge side']);
  expect(files).toEqual(['side.txt']);
});

test.each(['--output=pwned', '-p', '', 'nowhere..HEAD', 'HEAD; touch pwned'])(
  'the range %j is refused',
  async (range) => {
    const { folder } = repository();
    await expect(readGitRange(range, { folder, variables: VARIABLES })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(execFileSync('ls', { cwd: folder, encoding: 'utf8' })).not.toContain('pwned');
  },
);

test('outside a repository, and without git, the error says so', async () => {
  const folder = temporaryFolder();
  await expect(
    readGitRange('HEAD', { folder, variables: { ...VARIABLES, GIT_CEILING_DIRECTORIES: folder } }),
  ).rejects.toThrow(`${folder} is not in a git repository`);
  await expect(readGitRange('HEAD', { folder, variables: { PATH: folder } })).rejects.toThrow(
    'git could not be started',
  );
});

test('`plan complete --from-git` names files from the folder that holds the store', async () => {
  const { folder } = repository();
  const user = newUser(join(folder, 'café'));
  await user.run(['init', 'Count the stars', '--no-decompose'], VARIABLES_OF_COMMAND);
  await user.run(['resume'], VARIABLES_OF_COMMAND);
  const ended = await user.run(['complete', 'root', '--from-git', 'start', '--json'], VARIABLES_OF_COMMAND);
  expect(ended.json()).toMatchObject({
    goal: { digest: { summary: 'First: $(touch x) `y`', artifacts: ['a b.txt', 'gone.txt'] } },
  });
});

const VARIABLES_OF_COMMAND = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
