import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newAgentsPlace, repositoryState } from '../support/agents.js';

test.each([
  ['removes its folder', 'cd ..; rm -rf tree'],
  [
    'puts a link to the repository in the place of its folder',
    'cd ..; rm -rf tree; ln -s "$(cat "$(dirname "$0")/top")" tree',
  ],
])('an agent that %s fails its try, and the command goes on', async (_name, script) => {
  const place = await newAgentsPlace(`case "$FRCTL_GOAL" in *-a) ${script};; *) echo x > b.txt;; esac`, [
    'a',
    'b',
  ]);
  writeFileSync(join(place.home, 'top'), place.folder);
  for (const number of ['1', '2']) await place.workspace.edit(number, { checks: ['ok'] });
  const before = repositoryState(place);
  const report = await place.workspace.work({ tries: 1, goals: ['1', '2'] });
  expect(report.goals?.map(({ outcome }) => outcome)).toEqual(['failed', 'landed']);
  expect(report.goals?.[0]?.reason).toContain('removed the folder');
  expect(repositoryState(place)).toEqual(before);
  expect(readFileSync(join(place.folder, 'src/base.txt'), 'utf8')).toBe('base\n');
});

test('a folder that became a link to files outside is one changed link, and none of these files is taken', async () => {
  const place = await newAgentsPlace('rm -rf src; ln -s "$(dirname "$0")/outside" src');
  mkdirSync(join(place.home, 'outside'));
  writeFileSync(join(place.home, 'outside/base.txt'), 'not of the repository\n');
  await place.workspace.edit('1', { checks: ['ok'] });
  const report = await place.workspace.work();
  expect(report.goals).toMatchObject([{ outcome: 'waiting', reason: 'src is a link out of the repository' }]);
  const commit = report.goals?.[0]?.commit ?? '';
  expect(place.git('ls-tree', '-r', '--name-only', commit)).not.toContain('base.txt');
});

test('submodules stay as they are, whatever an agent does with their folders', async () => {
  const place = await newAgentsPlace('rmdir sub; echo x > a.txt');
  const commit = place.git('rev-parse', 'HEAD').trim();
  place.git('update-index', '--add', '--cacheinfo', `160000,${commit},sub`);
  place.git('commit', '-qm', 'Submodule');
  mkdirSync(join(place.folder, 'sub'));
  await place.workspace.edit('1', { checks: ['ok'] });
  const report = await place.workspace.work({ tries: 1 });
  expect(report.goals).toMatchObject([{ outcome: 'landed', files: ['a.txt'] }]);
  expect(place.git('ls-tree', 'main', 'sub')).toContain(commit);
});

test('a pointer of Git LFS is checked out, changed and landed as the text that it is', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`;
  const place = await newAgentsPlace('cp big.bin seen.txt; echo x > a.txt');
  place.write('.gitattributes', '*.bin filter=lfs -text\n');
  place.write('big.bin', pointer);
  place.git('add', '-A');
  place.git('commit', '-qm', 'LFS');
  place.git('config', 'filter.lfs.smudge', `touch ${place.home}/ran; cat`);
  place.git('config', 'filter.lfs.clean', 'cat');
  place.git('config', 'filter.lfs.required', 'true');
  await place.workspace.edit('1', { checks: ['ok'] });
  const report = await place.workspace.work({ tries: 1 });
  expect(report.goals).toMatchObject([{ outcome: 'landed', files: ['a.txt', 'seen.txt'] }]);
  expect(place.git('show', 'main:big.bin')).toBe(pointer);
  expect(place.git('show', 'main:seen.txt')).toBe(pointer);
  expect(existsSync(join(place.home, 'ran'))).toBe(false);
});

test('a name that some disk takes for a protected one, for the store or for git is that', async () => {
  const place = await newAgentsPlace(
    String.raw`mkdir .PLANS .VSCode; echo '{}' > .PLANS/config.json; echo '{}' > .VSCode/tasks.json; echo x > sub.txt
    hidden=$(printf '.g\342\200\214it'); mkdir "$hidden"; echo x > "$hidden/config"; echo x > AGENTS.MD; echo x > "$(printf 'Check.\342\200\213sh')"; echo x > CHECK.SH`,
  );
  await place.workspace.edit('1', { checks: ['ok'] });
  const report = await place.workspace.work({ tries: 1 });
  expect(report.goals).toMatchObject([{ outcome: 'waiting' }]);
  const reason = report.goals?.[0]?.reason ?? '';
  for (const said of [
    'AGENTS.MD is protected',
    '.VSCode/tasks.json is protected',
    'CHECK.SH is named by a check',
  ])
    expect(reason).toContain(said);
  const files = place.git('ls-tree', '-r', '--name-only', '-z', report.goals?.[0]?.commit ?? '');
  expect(files).toContain('sub.txt');
  expect(files).not.toMatch(/PLANS|config/);
});

test('what the user’s git, its hooks, his editors and shells would run by its name is for him to land', async () => {
  const files = [
    'dev/hooks/post-checkout',
    'tools/lint.sh',
    'al.sh',
    'dev/more.cfg',
    'sub/.envrc',
    '.idea/a.xml',
    '.hg/hgrc',
  ];
  const link = 'cfg';
  const place = await newAgentsPlace(
    `for f in ${files.join(' ')}; do mkdir -p "$(dirname $f)"; echo x > $f; chmod +x $f; done; echo x > src/free.sh; ln -s src ${link}`,
  );
  place.write('dev/hooks/pre-commit', '#!/bin/sh\nexec sh tools/lint.sh\n');
  chmodSync(join(place.folder, 'dev/hooks/pre-commit'), 0o755);
  place.git('add', '-A');
  place.git('commit', '-qm', 'Hooks');
  place.git('config', 'core.hooksPath', 'dev/hooks');
  place.git('config', 'alias.q', '!sh ./al.sh');
  place.git('config', 'include.path', '../dev/more.cfg');
  place.git('config', 'includeIf.gitdir:x.path', '../cfg/other.cfg');
  await place.workspace.edit('1', { checks: ['ok'] });
  const report = await place.workspace.work({ tries: 1 });
  expect(report.goals).toMatchObject([{ outcome: 'waiting' }]);
  const reasons = report.goals?.[0]?.reason?.split('; ') ?? [];
  expect(reasons.map((reason) => reason.replace(/ is .*/, '')).toSorted()).toEqual(
    [...files, link].toSorted(),
  );
  expect(reasons).toContain('dev/hooks/post-checkout is run by git here, or by a hook');
});

test('folders that no path leads to, and that nobody may enter, are removed with the rest', async () => {
  const deep = `for (let n = 0; n < 900; n += 1) { fs.mkdirSync('deepdeepde'); process.chdir('deepdeepde'); } fs.writeFileSync('x', 'x');`;
  const place = await newAgentsPlace(
    `echo x > a.txt; mkdir -p locked/in; chmod 0 locked; '${process.execPath}' -e "${deep}"`,
    ['a', 'b'],
  );
  for (const number of ['1', '2']) await place.workspace.edit(number, { checks: ['ok'] });
  const report = await place.workspace.work({ tries: 1, goals: ['1'] });
  expect(report.goals).toMatchObject([{ outcome: 'landed', files: ['a.txt'] }]);
  const left = readdirSync(place.variables.XDG_STATE_HOME ?? '', { recursive: true, encoding: 'utf8' });
  expect(left.filter((path) => /deep|locked/.test(path))).toEqual([]);
});
