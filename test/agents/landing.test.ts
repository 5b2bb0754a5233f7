import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newAgentsPlace } from '../support/agents.js';
import { claim } from '../support/worked-plan.js';

const CHECKED = { checks: ['ok'] };

test('what git has written before it failed is taken back, and the attempt lands once the cause is gone', async () => {
  const place = await newAgentsPlace('echo a > a.txt; echo more >> kept.txt; echo x > z.bin');
  await place.workspace.edit('1', CHECKED);
  writeFileSync(join(place.folder, 'kept.txt'), 'kept\n');
  writeFileSync(join(place.folder, '.gitattributes'), '*.bin filter=big\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'Files');
  place.git('config', 'filter.big.smudge', 'false');
  place.git('config', 'filter.big.required', 'true');
  await place.workspace.work();
  const { attempts } = await place.workspace.attempts.list();
  expect(attempts[0]).toMatchObject({ state: 'waiting', reason: expect.stringContaining('smudge filter') });
  expect(place.git('status', '--porcelain', 'a.txt', 'kept.txt', 'z.bin')).toBe('');
  expect(readFileSync(join(place.folder, 'kept.txt'), 'utf8')).toBe('kept\n');
  place.git('config', '--unset', 'filter.big.smudge');
  place.git('config', '--unset', 'filter.big.required');
  const commit = attempts[0]?.commit ?? '';
  expect(await place.workspace.attempts.accept('1', { commit })).toMatchObject({ outcome: 'landed' });
  expect(readFileSync(join(place.folder, 'kept.txt'), 'utf8')).toBe('kept\nmore\n');
});

test.each([
  ['a file that the agent renamed', 'git mv user.txt renamed.txt', 'echo mine >> user.txt', 'user.txt'],
  ['a file below a folder of that name', 'echo made > out', 'mkdir out; echo mine > out/x', 'out/x'],
  [
    'a file of which git is not to see changes',
    'echo made >> user.txt',
    'git update-index --assume-unchanged user.txt; echo mine >> user.txt',
    'user.txt',
  ],
])('what is in the way is named: %s', async (_, agent, user, named) => {
  const place = await newAgentsPlace(agent);
  await place.workspace.edit('1', CHECKED);
  writeFileSync(join(place.folder, 'user.txt'), 'keep\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'A file');
  place.shell(user);
  await place.workspace.work();
  const { attempts } = await place.workspace.attempts.list();
  expect(attempts[0]).toMatchObject({ state: 'waiting', reason: expect.stringContaining(named) });
  expect(readFileSync(join(place.folder, named), 'utf8')).toContain('mine');
});

test('goals that agents have done are taken back one by one', async () => {
  const place = await newAgentsPlace('echo x > "$FRCTL_GOAL.txt"', ['a', 'b']);
  await place.workspace.edit('1', CHECKED);
  await place.workspace.edit('2', CHECKED);
  await place.workspace.work();
  const done = async () => {
    const shown = await Promise.all(['1', '2'].map(async (number) => place.workspace.show(number)));
    return shown.map(({ goal }) => goal.status);
  };
  expect(await done()).toEqual(['complete', 'complete']);
  await place.workspace.undo();
  await place.workspace.undo();
  await place.workspace.undo();
  expect(await done()).toEqual(['atomic', 'atomic']);
});

test('nothing is begun in a plan that is archived, and what has landed is completed once it is back', async () => {
  const place = await newAgentsPlace('', ['a', 'b']);
  const go = join(place.home, 'go');
  const script = `while [ ! -e ${go} ]; do sleep 0.1; done; echo x >> "$FRCTL_GOAL.txt"`;
  writeFileSync(join(place.home, 'agent.sh'), `#!/bin/sh\ncat > /dev/null\n${script}\n`);
  const { workspace } = place;
  await workspace.edit('1', CHECKED);
  await workspace.edit('2', CHECKED);
  const working = place.start(['work'], place.variables);
  const tree = join(place.home, 'state/frctl/work/0398a958/0398a958-a/tree');
  await expect.poll(() => existsSync(tree), { timeout: 60_000 }).toBe(true);
  await expect(workspace.delete('0398a958', { purge: true })).rejects.toMatchObject({
    code: 'WRONG_STATE',
    message: expect.stringContaining('goal 1'),
  });
  await workspace.archive('0398a958');
  writeFileSync(go, '');
  await working.ended;
  expect(place.git('log', '--format=%s').split('\n')).toHaveLength(3);
  await workspace.restore('0398a958');
  await workspace.work({ budgetGoals: 0 }).catch(() => undefined);
  expect((await workspace.show('1')).goal.status).toBe('complete');
  expect((await workspace.show('2')).goal.status).toBe('atomic');
  expect(readFileSync(join(place.folder, '0398a958-a.txt'), 'utf8')).toBe('x\n');
});

test('files that a killed git has left, whole or in part, are in nobody’s way', async () => {
  const place = await newAgentsPlace('echo made > a.txt; echo made > b.txt; echo made > c.txt');
  await place.workspace.edit('1', CHECKED);
  writeFileSync(join(place.folder, 'c.txt'), 'mine\n');
  await place.workspace.work();
  const { attempts } = await place.workspace.attempts.list();
  expect(attempts[0]).toMatchObject({ reason: 'local changes are in the way: c.txt' });
  // As if the command had been killed, and its git, when it had written one file and the beginning of another.
  const file = join(place.home, 'state/frctl/work/0398a958/0398a958-a/attempt.json');
  const attempt = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object> & { token: string };
  await place.change(claim('a', attempt.token));
  const owner = { ...attempt.owner, pid: 2 ** 22 - 1 };
  writeFileSync(file, JSON.stringify({ ...attempt, state: 'running', step: 'move', owner }));
  writeFileSync(join(place.folder, 'a.txt'), 'made\n');
  writeFileSync(join(place.folder, 'b.txt'), 'ma');
  await place.workspace.work();
  const { attempts: again } = await place.workspace.attempts.list();
  expect(again[0]).toMatchObject({ state: 'waiting', reason: 'local changes are in the way: c.txt' });
  expect(readFileSync(join(place.folder, 'c.txt'), 'utf8')).toBe('mine\n');
  rmSync(join(place.folder, 'c.txt'));
  const commit = again[0]?.commit ?? '';
  expect(await place.workspace.attempts.accept('1', { commit })).toMatchObject({ outcome: 'landed' });
  expect(place.git('status', '--porcelain')).toBe('');
});
