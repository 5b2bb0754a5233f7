import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newAgentsPlace } from '../support/agents.js';
import type { AgentsPlace } from '../support/agents.js';

const WORK = 'mkdir -p src/new; echo done > src/new/work.txt';

/** Has the agent try goal 1 once. Returns why that failed, and the files that are kept. */
async function triedOnce(place: AgentsPlace) {
  await place.workspace.edit('1', { checks: ['ok'] });
  const { goals = [] } = await place.workspace.work({ tries: 1 });
  const kept = place.git('for-each-ref', '--format=%(refname)', 'refs/frctl/kept').trim();
  const files = kept === '' ? '' : place.git('diff', '--name-only', '-z', 'main', kept);
  const names = files.split('\0').filter((path) => path !== '');
  return { ...goals[0], kept, files: names };
}

/** Adds a submodule whose folder is empty. */
function addSubmodule({ folder, git }: AgentsPlace): void {
  git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD').trim()},sub`);
  git('commit', '-qm', 'Submodule');
  mkdirSync(join(folder, 'sub'));
}

test.each([
  [
    'a repository',
    'mkdir -p lib/in; cd lib; git init -q; echo a > a; cd in; git init -q; echo b > b',
    ['lib/a', 'lib/in/b'],
    'lib/ is a repository of its own',
  ],
  ['a large file', 'truncate -s 60000000 big.bin', [], 'more than 50 MB changed; not kept: big.bin'],
  ['a name that is no UTF-8', `echo x > "$(printf '\\377')"`, [], 'no UTF-8'],
  [
    'marks of a conflict',
    `printf '<<<<<<< a\\nb\\n=======\\nc\\n>>>>>>> d\\n' > mark.md`,
    ['mark.md'],
    'conflict markers',
  ],
  [
    'a secret',
    'echo "key = AKIAABCDEFGHIJKLMNOP" > key.txt',
    [],
    'a secret is in key.txt; not kept: key.txt',
  ],
])('of a try that leaves %s, the rest of the work is kept', async (_, also, more, why) => {
  const place = await newAgentsPlace(`${WORK}; ${also}`);
  const { outcome, reason, files, kept } = await triedOnce(place);
  expect(outcome).toBe('failed');
  expect(reason).toContain(why);
  expect(reason).toContain(`what was made is kept as ${kept}`);
  expect(files).toEqual([...more, 'src/new/work.txt'].toSorted());
});

test('of more files than can land, those in small folders are kept first', async () => {
  const crowd = 'mkdir m; for i in $(seq 2001); do echo > m/$i; done; truncate -s 30000000 m/1 m/2';
  const { reason, files } = await triedOnce(await newAgentsPlace(`${WORK}; ${crowd}`));
  expect(reason).toMatch(/^2002 files changed; at most 2000 are landed; not kept: m\/2;/);
  expect(files).toContain('src/new/work.txt');
  expect(files).toHaveLength(2001);
});

test.each([
  [
    'writes in its folder and elsewhere',
    'echo x > sub/new.txt; echo x > main.txt',
    'sub/ is a submodule',
    'sub/new.txt',
    ['main.txt', 'sub', 'sub/new.txt'],
  ],
  [
    'writes only in its folder',
    'echo x > sub/new.txt',
    'sub/ is a submodule',
    'sub/new.txt',
    ['sub', 'sub/new.txt'],
  ],
  [
    'makes a repository of its folder',
    'cd sub; git init -q; echo x > new.txt',
    'sub/ is a submodule',
    'sub/new.txt',
    ['sub', 'sub/new.txt'],
  ],
  ['puts a file in its place', 'rm -r sub; echo x > sub', 'sub is a submodule', 'in its place', ['sub']],
])('the try of an agent that %s of a submodule fails, and is kept', async (_, script, what, where, made) => {
  const place = await newAgentsPlace(script);
  addSubmodule(place);
  const { outcome, reason, files } = await triedOnce(place);
  expect(outcome).toBe('failed');
  expect(reason).toContain(what);
  expect(reason).toContain(where);
  expect(files).toEqual(made);
  expect(place.git('log', '-1', '--format=%s', 'main').trim()).toBe('Submodule');
});

test('what stands behind a link in the place of a folder with a submodule is not looked at', async () => {
  const place = await newAgentsPlace('rm -r deep; ln -s "$(dirname "$0")/outside" deep');
  place.git(
    'update-index',
    '--add',
    '--cacheinfo',
    `160000,${place.git('rev-parse', 'HEAD').trim()},deep/sub`,
  );
  place.git('commit', '-qm', 'Submodule');
  mkdirSync(join(place.folder, 'deep/sub'), { recursive: true });
  place.shell(`mkdir -p "${place.home}/outside/sub"; echo mine > "${place.home}/outside/sub/own.txt"`);
  await place.workspace.edit('1', { checks: ['ok'] });
  const report = await place.workspace.work({ tries: 1 });
  expect(report.goals).toMatchObject([
    { outcome: 'waiting', reason: 'deep is a link out of the repository' },
  ]);
  expect(place.git('ls-tree', '-r', '--name-only', report.goals?.[0]?.commit ?? '')).not.toContain('own.txt');
});

test('an agent that writes only what is ignored is told so', async () => {
  const place = await newAgentsPlace('mkdir .plans; echo x > .plans/x; echo x > ignored; test -e given.log');
  place.shell('echo "*.log" >> .gitignore; git commit -qam Ignore; echo x > given.log');
  place.configure({ copy: { [place.folder]: ['given.log'] } });
  expect((await triedOnce(place)).reason).toBe(
    'the agent changed nothing but what git ignores or nobody may land: .plans/, ignored',
  );
});

test('a new file that some disk takes for another is for a person to land', async () => {
  const place = await newAgentsPlace(String.raw`echo x > SRC.TXT; echo x > "$(printf 'e\314\201.md')"`);
  place.write('Src.txt', 'x\n');
  place.write('\u00E9.md', 'x\n');
  place.shell('git add -A; git commit -qm Names');
  const { outcome, reason } = await triedOnce(place);
  expect(outcome).toBe('waiting');
  expect(reason).toContain('SRC.TXT is Src.txt on disks');
  expect(reason).toContain('e\u0301.md is \u00E9.md on disks');
});
