import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newAgentsPlace } from '../support/agents.js';
import type { AgentsPlace } from '../support/agents.js';

const CHECKED = { checks: ['ok'] };

async function placeOf(agent: string): Promise<AgentsPlace> {
  const place = await newAgentsPlace(agent);
  await place.workspace.edit('1', CHECKED);
  return place;
}

const waiting = async ({ workspace }: AgentsPlace) => {
  const { attempts } = await workspace.attempts.list();
  const [attempt] = attempts;
  return { reason: attempt?.reason, commit: attempt?.commit ?? '', state: attempt?.state };
};

/** Goes on while an agent waits for a file. */
async function meanwhile(place: AgentsPlace, change: () => void) {
  const go = join(place.home, 'go');
  const script = readFileSync(join(place.home, 'agent.sh'), 'utf8');
  writeFileSync(join(place.home, 'agent.sh'), `${script}\nwhile [ ! -e ${go} ]; do sleep 0.1; done\n`);
  const working = place.workspace.work();
  const inner = join(place.home, 'state/frctl/work/0398a958/0398a958-a/out.log');
  await expect.poll(() => existsSync(inner), { timeout: 60_000 }).toBe(true);
  change();
  writeFileSync(go, '');
  return working;
}

test.each([
  ['a file', 'echo made > local.txt', 'local.txt', 'local.txt'],
  ['a folder that becomes a file', 'echo made > build', 'build/', 'build/x'],
  ['a file that becomes a folder', 'mkdir vendor; echo made > vendor/f', 'vendor', 'vendor'],
])('what git ignores is not overwritten: %s', async (_, agent, ignored, named) => {
  const place = await placeOf(agent);
  writeFileSync(join(place.folder, '.git/info/exclude'), `${ignored}\n`);
  place.write(named, 'precious\n');
  await place.workspace.work();
  const { reason, commit } = await waiting(place);
  expect(reason).toBe(`local changes are in the way: ${named}`);
  await place.workspace.attempts.accept('1', { commit });
  expect(readFileSync(join(place.folder, named), 'utf8')).toBe('precious\n');
  place.shell(`rm -r ${named.split('/')[0] ?? ''}`);
  expect(await place.workspace.attempts.accept('1', { commit })).toMatchObject({ outcome: 'landed' });
});

const SIDE =
  'git checkout -qb side; echo f > src/base.txt; git commit -qam f; git checkout -q main; echo g > src/base.txt; git commit -qam g';

test.each([
  ['rebase', 'git rebase side || true', 'git rebase --abort'],
  ['bisect', 'git bisect start -q HEAD HEAD~1 2>/dev/null || true', 'git bisect reset 2>/dev/null'],
  ['merge', 'git merge side || true', 'git merge --abort'],
  ['cherry-pick', 'git cherry-pick side || true', 'git cherry-pick --abort'],
])('a base that git is in the middle of something with is not moved: %s', async (what, begin, end) => {
  const place = await placeOf('echo made > a.txt');
  place.shell(SIDE);
  place.shell(begin);
  const before = place.git('rev-parse', 'main');
  await place.workspace.work({ base: 'main' });
  const { reason, commit } = await waiting(place);
  expect(reason).toContain(`git ${what} of main is not finished in ${place.folder}`);
  expect(place.git('rev-parse', 'main')).toBe(before);
  place.shell(end);
  expect(await place.workspace.attempts.accept('1', { commit })).toMatchObject({ outcome: 'landed' });
});

test('a base that is checked out in another working tree gets its files there', async () => {
  const place = await placeOf('echo made > a.txt; echo more >> src/base.txt');
  const other = join(place.home, 'other');
  place.shell(`git checkout -qb side; git worktree add -q ${other} main`);
  writeFileSync(join(other, 'a.txt'), 'mine\n');
  await place.workspace.work({ base: 'main' });
  const { reason, commit } = await waiting(place);
  expect(reason).toBe('local changes are in the way: a.txt');
  place.shell(`rm ${other}/a.txt`);
  await place.workspace.attempts.accept('1', { commit });
  expect(place.git('-C', other, 'status', '--porcelain')).toBe('');
  expect(readFileSync(join(other, 'src/base.txt'), 'utf8')).toBe('base\nmore\n');
  expect(existsSync(join(place.folder, 'a.txt'))).toBe(false);
});

test.each([
  ['reset', 'git reset -q --hard HEAD~1'],
  ['amended', 'git rm -q oops.env; git commit -q --amend -m "Without it" --allow-empty'],
  [
    'of another history',
    'git checkout -q --orphan new; git rm -qf oops.env; git commit -qm New; git branch -M main',
  ],
])('what the user threw away does not come back: %s', async (_, rewrite) => {
  const place = await placeOf('echo made > a.txt');
  place.write('oops.env', 'x\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'Oops');
  await meanwhile(place, () => {
    place.shell(rewrite);
  });
  expect(place.git('show', '--format=', '--name-only', 'main').trim()).toBe('a.txt');
  expect(existsSync(join(place.folder, 'oops.env'))).toBe(false);
  expect(place.git('status', '--porcelain')).toBe('');
});

test('what was looked at is what lands, whatever became of the base', async () => {
  const place = await placeOf('echo made > a.txt');
  place.write('oops.env', 'x\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'Oops');
  await place.workspace.work({ review: 'each' });
  const { commit } = await waiting(place);
  place.git('reset', '-q', '--hard', 'HEAD~1');
  await place.workspace.attempts.accept('1', { commit });
  expect(place.git('show', '--format=', '--name-only', 'main').trim()).toBe('a.txt');
});

test('a base that was deleted meanwhile is named with the cure, and its work waits', async () => {
  const place = await placeOf('echo made > a.txt');
  const head = place.git('rev-parse', 'main').trim();
  await meanwhile(place, () => {
    place.shell('git checkout -q --detach; git branch -D main');
  });
  const { reason, commit, state } = await waiting(place);
  expect(state).toBe('waiting');
  expect(reason).toContain(
    `there is no branch main any more: make it again (\`git branch main ${head.slice(0, 10)}`,
  );
  await expect(place.workspace.attempts.accept('1', { commit })).rejects.toMatchObject({
    message: 'there is no branch "main"',
  });
  place.git('branch', 'main', head);
  expect(await place.workspace.attempts.accept('1', { commit })).toMatchObject({ outcome: 'landed' });
});

test('a change that the base has already lands without files', async () => {
  const place = await placeOf('echo same > same.txt');
  const { goals } = await meanwhile(place, () => {
    place.write('same.txt', 'same\n');
    place.git('add', '-A');
    place.git('commit', '-qm', 'The same');
  });
  expect(goals).toMatchObject([{ outcome: 'landed', files: [] }]);
  expect((await place.workspace.show('1')).goal.status).toBe('complete');
});
