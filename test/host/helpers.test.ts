import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readSigners } from '../../src/features/runs/model/approvals/allowed-signers.js';
import { signatureOf } from '../../src/features/runs/operations/approving/ssh-signature.js';
import { readGitRange } from '../../src/host/git/git-range.js';
import { findHelper, helperPath } from '../../src/host/processes/find-helper.js';
import { temporaryFolder } from '../support/folders.js';

const PATH = process.env.PATH ?? '';

/** A program in a folder that tells that it was run, and with which variables. */
function plant(folder: string, name: string, then = 'exit 1'): { readonly told: string } {
  const told = join(temporaryFolder(), 'told');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\nenv > '${told}'\n${then}\n`);
  chmodSync(join(folder, name), 0o755);
  return { told };
}

/** The ways in which the PATH of somebody can lead into a repository. */
const WAYS: readonly (readonly [string, (repository: string) => string])[] = [
  ['a folder of the repository', (repository) => join(repository, 'bin')],
  ['a relative folder', () => 'bin'],
  ['the folder in which it is started', () => ''],
  [
    'a link to a folder of the repository',
    (repository) => {
      const link = join(temporaryFolder(), 'link');
      symlinkSync(join(repository, 'bin'), link);
      return link;
    },
  ],
];

describe.each(WAYS)('a PATH with %s', (_what, entryOf) => {
  test('has no git and no ssh-keygen of the repository run', async () => {
    const repository = temporaryFolder();
    execFileSync('git', ['init', '-q', repository]);
    execFileSync(
      'git',
      ['-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'one', '--allow-empty'],
      {
        cwd: repository,
      },
    );
    const git = plant(join(repository, 'bin'), 'git');
    const keygen = plant(join(repository, 'bin'), 'ssh-keygen');
    const variables = { PATH: `${entryOf(repository)}:${PATH}`, HOME: temporaryFolder() };
    const folder = join(repository, 'bin');
    expect((await readGitRange('HEAD', { folder, variables })).commits).toHaveLength(1);
    const signed = { text: 'x', namespace: 'frctl-approval', variables, folder };
    const key = 'AAAAC3NzaC1lZDI1NTE5AAAAIJ6gGqIvGx8V5n1rN0x3cE3m3p1m0dQm5m0T9wq3v0aB';
    const signers = readSigners(`a@b.c ssh-ed25519 ${key}`, 'approvers');
    expect(await signatureOf('no signature', signers, signed)).toBeNull();
    expect([git.told, keygen.told].filter((told) => existsSync(told))).toEqual([]);
  });
});

test('a helper gets few of the user’s variables, and a PATH without what is a stranger’s', async () => {
  const repository = temporaryFolder();
  execFileSync('git', ['init', '-q', repository]);
  const own = temporaryFolder();
  const { told } = plant(own, 'git');
  const hostile = {
    LD_PRELOAD: '/nowhere.so',
    BASH_ENV: './env.sh',
    PERL5OPT: '-Mevil',
    NODE_OPTIONS: '-r ./e.js',
    GIT_DIR: '/nowhere',
    SECRET: 's',
  };
  const variables = {
    ...hostile,
    PATH: `${own}:bin:${repository}/bin:${PATH}`,
    HOME: own,
    XDG_CONFIG_HOME: own,
  };
  await expect(readGitRange('HEAD', { folder: repository, variables })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
  const heard = readFileSync(told, 'utf8').split('\n');
  expect(heard.filter((line) => Object.keys(hostile).some((name) => line.startsWith(`${name}=`)))).toEqual(
    [],
  );
  expect(heard).toContain(`PATH=${own}:${PATH}`);
  expect(heard).toContain(`XDG_CONFIG_HOME=${own}`);
});

test('a helper in the home of a user who works there is the user’s', () => {
  const home = temporaryFolder();
  plant(join(home, 'bin'), 'git');
  const variables = { PATH: join(home, 'bin'), HOME: home };
  expect(findHelper('git', { variables, folder: home })).toBe(join(home, 'bin/git'));
  expect(findHelper('git', { variables: { ...variables, HOME: '/nowhere' }, folder: home })).toBeNull();
  // What is no program is none: a folder of its name, or a file that may not be run.
  mkdirSync(join(home, 'other/git'), { recursive: true });
  writeFileSync(join(home, 'git'), '');
  expect(
    findHelper('git', { variables: { PATH: `${join(home, 'other')}:${home}`, HOME: home }, folder: null }),
  ).toBeNull();
  expect(helperPath({ variables: { PATH: 'a::/usr/bin:./b' }, folder: null })).toBe('/usr/bin');
});

test('a helper is taken neither from the folder nor from a repository around it, whose top is not the user’s home', () => {
  const repository = temporaryFolder();
  execFileSync('git', ['init', '-q', repository]);
  const folder = join(repository, 'packages/one');
  execFileSync('git', ['init', '-q', join(repository, 'packages')]);
  for (const each of [join(repository, 'bin'), join(folder, 'bin')]) plant(each, 'bwrap');
  const found = (from: string, home = '/nowhere') =>
    findHelper('bwrap', { variables: { PATH: from, HOME: home }, folder });
  expect(found(join(repository, 'bin'))).toBeNull();
  expect(found(join(folder, 'bin'))).toBeNull();
  expect(found(join(repository, 'bin'), repository)).toBe(join(repository, 'bin/bwrap'));
  expect(found(join(folder, 'bin'), repository)).toBeNull();
});
