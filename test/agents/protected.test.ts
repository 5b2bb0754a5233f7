import { expect, test } from 'vitest';

import { protectedFiles } from '../../src/features/agents/attempt/forbidden.js';
import { newAgentsPlace } from '../support/agents.js';

const NOBODY = { protect: [], checks: [], named: [] };

/** The reasons for files that were changed, and are no links. */
function reasonsFor(...paths: readonly string[]): readonly string[] {
  return protectedFiles(
    paths.map((path) => ({ path, isDeleted: false, leads: null })),
    NOBODY,
  );
}

test.each([
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.clinerules/a.md',
  '.roo/rules/a.md',
  '.junie/guidelines.md',

  '.cursor/rules/a.mdc',
  '.claude/settings.json',
  'sub/AGENTS.md',
  'CLAUDE.local.md',
  'sub/.goosehints',
  'QWEN.md',

  '.github/workflows/a.yml',
  '.gitlab-ci.yml',
  '.circleci/config.yml',
  'Jenkinsfile',
  'sub/Jenkinsfile.release',

  '.forgejo/workflows/a.yml',
  '.gitea/workflows/a.yml',
  '.travis.yml',
  'azure-pipelines.yml',
  '.woodpecker/a.yml',

  '.woodpecker.yml',
  '.buildkite/pipeline.yml',
  '.drone.yml',
  'bitbucket-pipelines.yml',
  'azure-pipelines-1.yml',

  'appveyor.yml',
  '.cirrus.yml',
  '.builds/a.yml',
  'buildspec-test.yaml',
  'cloudbuild.yaml',
  '.tekton/a.yaml',
])('a person decides about %s', (path) => {
  expect(reasonsFor(path)).toEqual([`${path} is protected`]);
});

test('nobody is asked about ordinary files with names alike', () => {
  expect(
    reasonsFor(
      'src/agents.ts',
      'src/jenkins.ts',
      'docs/rules.md',
      'docs/github/a.md',
      'cursorrules.md',
      'src/roo.ts',
    ),
  ).toEqual([]);
});

test('links to what is no part of the repository wait, whatever way they take', async () => {
  const place = await newAgentsPlace(
    `ln -s .git/hooks hooks; ln -s .plans plans; mkdir -p a/b/c; ln -s ../.git a/git
    ln -s ../../../src a/b/c/src; ln -s c/src/../../away a/b/away; ln -s c/src/../.git/hooks a/b/more
    ln -s ../../src a/b/within; echo x > x.txt`,
  );
  await place.workspace.edit('1', { checks: ['ok'] });
  const { goals } = await place.workspace.work({ tries: 1 });
  expect(goals).toMatchObject([{ outcome: 'waiting' }]);
  expect(goals?.[0]?.reason?.split('; ')).toEqual([
    'a/b/away is a link out of the repository',
    'a/b/more is a link into .git or .plans',
    'a/git is a link into .git or .plans',
    'hooks is a link into .git or .plans',
    'plans is a link into .git or .plans',
  ]);
});

test.each([
  ['emptied', ': > test/a.test.js'],
  ['left with spaces alone', 'echo > test/a.test.js'],
  ['replaced by a link', 'ln -sf ../src/base.txt test/a.test.js'],
  ['removed', 'rm test/a.test.js'],
])('a test that is %s counts as deleted, and a new one that is empty does not', async (_how, script) => {
  const place = await newAgentsPlace(`${script}; : > test/new.test.js`);
  place.write('test/a.test.js', 'check();\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'Test');
  await place.workspace.edit('1', { checks: ['ok'] });
  const { goals } = await place.workspace.work({ tries: 1 });
  expect(goals).toMatchObject([
    { outcome: 'waiting', reason: 'test/a.test.js is a test, and was deleted or emptied' },
  ]);
});
