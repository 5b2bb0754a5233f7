import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newAgentsPlace, repositoryState } from '../support/agents.js';

test('a base is the name of a branch, and nothing else that git takes for a commit', async () => {
  const place = await newAgentsPlace('echo x > a.txt');
  await place.workspace.edit('1', { checks: ['ok'] });
  place.git('commit', '-q', '--allow-empty', '-m', 'Second');
  place.git('branch', 'x');
  const before = [repositoryState(place), place.git('for-each-ref')];
  const names = ['-x', '--all', '@', 'HEAD', 'refs/heads/x', 'heads/x', 'x~1', 'x^', 'x@{0}', 'x^{/Base}'];
  for (const base of [...names, '../heads/x', 'x x', 'x\n', '', '*'])
    await expect(place.workspace.work({ base })).rejects.toMatchObject({ code: 'REFUSED' });
  expect([repositoryState(place), place.git('for-each-ref')]).toEqual(before);
});

test('a base is found whatever else has its name, and however long that is', async () => {
  const names = ['main', 'refs/heads/main'];
  const place = await newAgentsPlace('echo x > "$FRCTL_GOAL.txt"', ['a', 'b']);
  const start = place.git('rev-parse', 'HEAD').trim();
  place.git('tag', 'main');
  for (const [index, base] of names.entries()) {
    const goal = String(index + 1);
    await place.workspace.edit(goal, { checks: ['ok'] });
    if (base !== 'main') place.git('update-ref', `refs/heads/${base}`, start);
    const named = base === 'main' ? {} : { base };
    const report = await place.workspace.work({ ...named, goals: [goal] });
    expect(report.goals).toMatchObject([{ outcome: 'landed' }]);
    expect(place.git('rev-list', '--count', `${start}..refs/heads/${base}`).trim()).toBe('1');
  }
  expect(place.git('rev-parse', 'refs/tags/main').trim()).toBe(start);
});

test('nothing but filters that the settings of a repository name is run', async () => {
  const place = await newAgentsPlace('echo x >> src/base.txt; echo y > new.bin', ['a', 'b']);
  const ran = join(place.home, 'ran');
  mkdirSync(ran);
  mkdirSync(join(place.folder, '.hooks'));
  const marks = (name: string) => `touch '${join(ran, name)}'`;
  for (const hook of [
    'post-checkout',
    'post-merge',
    'pre-commit',
    'reference-transaction',
    'post-index-change',
  ])
    writeFileSync(join(place.folder, '.hooks', hook), `#!/bin/sh\n${marks(hook)}\n`, { mode: 0o755 });
  place.write('.gitattributes', '* diff=mine merge=mine\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'Attributes');
  const settings = {
    'core.hooksPath': join(place.folder, '.hooks'),
    'core.fsmonitor': marks('fsmonitor'),
    'core.sshCommand': marks('ssh'),
    'core.pager': marks('pager'),
    'core.editor': marks('editor'),
    'core.alternateRefsCommand': marks('alternates'),
    'credential.helper': `!${marks('credential')}`,
    'diff.external': marks('diff'),
    'diff.mine.command': marks('diff-driver'),
    'diff.mine.textconv': marks('textconv'),
    'merge.mine.driver': marks('merge'),
    'gpg.program': marks('gpg'),
    'commit.gpgSign': 'true',
    'alias.rev-parse': `!${marks('alias')}`,
    'uploadpack.packObjectsHook': marks('pack'),
    'trailer.x.command': marks('trailer'),
  };
  writeFileSync(join(place.folder, '.git/included'), '');
  for (const [name, value] of Object.entries(settings))
    place.git('config', '-f', '.git/included', name, value);
  place.git('config', 'include.path', 'included');
  for (const goal of ['1', '2']) await place.workspace.edit(goal, { checks: ['ok'] });
  const report = await place.workspace.work({ parallel: 2 });
  expect(report.goals?.map(({ outcome }) => outcome)).toEqual(['landed', 'landed']);
  expect(readdirSync(ran)).toEqual([]);
  expect(existsSync(join(place.folder, 'new.bin'))).toBe(true);
});

test('a bare repository is called one', async () => {
  const place = await newAgentsPlace('echo x > a.txt');
  place.git('config', 'core.bare', 'true');
  await expect(place.workspace.work()).rejects.toMatchObject({
    code: 'REFUSED',
    message: expect.stringContaining('bare git repository') as string,
  });
});
