import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { readGitRange } from '../../src/host/git/git-range.js';
import { openWorkspace } from '../../src/workspace.js';
import { twoClones } from '../support/clones.js';
import { temporaryFolder } from '../support/folders.js';
import { complete, PLAN } from '../support/worked-plan.js';

const FOREIGN_COMMIT = 'deadbeef'.repeat(5);

/** A bare repository that fetches what it lacks by a command, as files that somebody commits. */
function plantBareRepository(folder: string, command: string): void {
  for (const name of ['objects', 'refs/heads', 'logs']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'objects', 'kept'), '');
  writeFileSync(join(folder, 'refs', 'heads', 'main'), `${FOREIGN_COMMIT}\n`);
  writeFileSync(join(folder, 'HEAD'), `${FOREIGN_COMMIT}\n`);
  const entry = `${FOREIGN_COMMIT} ${FOREIGN_COMMIT} a <a@b.c> ${Math.floor(Date.now() / 1000) + 3600} +0000\treset: moving`;
  writeFileSync(join(folder, 'logs', 'HEAD'), `${entry}\n`);
  writeFileSync(
    join(folder, 'config'),
    [
      '[core]\n\trepositoryformatversion = 1\n\tbare = true',
      '[extensions]\n\tpartialClone = origin',
      `[remote "origin"]\n\turl = .\n\tpromisor = true\n\tuploadpack = "${command}"`,
      '[protocol]\n\tallow = always\n[protocol "file"]\n\tallow = always\n',
    ].join('\n'),
  );
}

/** A `git` that knows neither `safe.bareRepository` nor `GIT_NO_LAZY_FETCH`, as older ones do not. */
function olderGit(): string {
  const folder = temporaryFolder();
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/bash
unset GIT_NO_LAZY_FETCH
args=()
for arg in "$@"; do args+=("\${arg/safe.bareRepository=explicit/x.y=z}"); done
exec ${real} "\${args[@]}"
`,
  );
  chmodSync(join(folder, 'git'), 0o755);
  return `${folder}:${process.env.PATH}`;
}

test('a bare repository that a stranger commits as the store starts nothing, with an older git either', async () => {
  const [stranger, victim] = await twoClones();
  await victim.change(complete('a'));
  const pwned = join(temporaryFolder(), 'pwned');
  const lines = readFileSync(stranger.eventLog, 'utf8').trimEnd().split('\n');
  writeFileSync(stranger.eventLog, `${lines.slice(0, -1).join('\n')}\n`);
  plantBareRepository(stranger.store, `touch ${pwned};`);
  stranger.git('add', '--all', '--force');
  stranger.git('commit', '-qm', 'Nothing to see here');
  victim.git('fetch', '-q');
  victim.git('reset', '-q', '--hard', 'origin/HEAD');
  expect(existsSync(join(victim.store, 'HEAD'))).toBe(true);

  const path = process.env.PATH;
  onTestFinished(() => {
    process.env.PATH = path;
  });
  process.env.PATH = olderGit();
  const environment = { workingFolder: victim.folder, homeFolder: victim.home, variables: process.env };
  const warned: string[] = [];
  await openWorkspace({ environment, onWarning: ({ message }) => warned.push(message) }).status(PLAN);
  expect(existsSync(pwned)).toBe(false);
  // The reflog that was asked is the working tree's own.
  expect(warned.join()).toContain('reset: moving to origin/HEAD');
});

test('a range is one of the working folder, also where a bare repository lies there or a variable names another', async () => {
  const [ours, other] = await twoClones();
  other.git('commit', '-q', '--allow-empty', '-m', 'another repository');
  ours.git('commit', '-q', '--allow-empty', '-m', 'this repository');
  const pwned = join(temporaryFolder(), 'pwned');
  const below = join(ours.folder, 'below');
  plantBareRepository(below, `touch ${pwned};`);
  const variables = {
    PATH: olderGit(),
    HOME: ours.home,
    GIT_DIR: join(other.folder, '.git'),
    GIT_WORK_TREE: other.folder,
    GIT_INDEX_FILE: join(other.folder, '.git', 'index'),
    GIT_COMMON_DIR: join(other.folder, '.git'),
    GIT_OBJECT_DIRECTORY: join(other.folder, '.git', 'objects'),
    GIT_CONFIG_PARAMETERS: `'core.worktree'='${other.folder}'`,
  };
  for (const folder of [ours.folder, below]) {
    const { commits, top } = await readGitRange('HEAD', { folder, variables });
    expect(commits.map(({ subject }) => subject)).toEqual(['this repository']);
    expect(top).toBe(ours.folder);
  }
  expect(existsSync(pwned)).toBe(false);
});
