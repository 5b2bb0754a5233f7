import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { KITS } from '../../src/features/kits/kits.js';
import type { JsonObject } from '../../src/kernel/json/json-value.js';
import { callWith, newWorkplace } from '../support/workplace.js';

/** A repository with one commit, whose settings run a program wherever git can be made to run one. */
function newRepository() {
  const place = newWorkplace();
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: place.root,
      encoding: 'utf8',
      env: { ...process.env, HOME: place.root, GIT_CONFIG_NOSYSTEM: '1' },
    }).trim();
  const file = (name: string, text: string) => writeFileSync(join(place.root, name), text);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ana');
  git('config', 'user.email', 'ana@example.org');
  file('.gitignore', '.plans\n');
  file('a.txt', 'one\n');
  git('add', '.');
  git('commit', '-qm', 'First');
  const trap = join(place.root, '.git', 'trap.sh');
  writeFileSync(trap, `#!/bin/sh\ntouch "${place.root}/.git/sprung"\n`);
  chmodSync(trap, 0o755);
  mkdirSync(join(place.root, '.git', 'hooks'), { recursive: true });
  for (const hook of ['pre-commit', 'commit-msg', 'post-commit', 'post-checkout', 'reference-transaction'])
    execFileSync('cp', [trap, join(place.root, '.git', 'hooks', hook)]);
  for (const name of ['core.fsmonitor', 'diff.external', 'diff.x.textconv', 'gpg.program', 'core.pager'])
    git('config', name, trap);
  git('config', 'commit.gpgSign', 'true');
  writeFileSync(join(place.root, '.git', 'info', 'attributes'), '*.txt diff=x\n');
  const kit = KITS.find(({ name }) => name === 'git');
  const carried = (name: string) => {
    const tool = kit?.tools.find((one) => one.name === `git.${name}`);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return tool.carry({}, { environment: place, markOfLook: () => 'look' });
  };
  const call = async (name: string, args: JsonObject = {}) => carried(name).call(callWith(args));
  return { place, git, file, call, carried };
}

test('what changed is listed, staged and committed, and nothing that the repository’s settings name is run', async () => {
  const { place, git, file, call } = newRepository();
  file('a.txt', 'two\n');
  file('ä b\n.txt', 'new\n');
  expect(await call('status')).toMatchObject({
    output: {
      branch: 'main',
      entries: [
        { path: 'a.txt', index: ' ', worktree: 'M' },
        { path: 'ä b\n.txt', index: '?', worktree: '?' },
      ],
    },
  });
  expect(await call('diff')).toMatchObject({ output: { text: expect.stringContaining('-one\n+two\n') } });
  expect(await call('commit', { message: 'Too soon' })).toMatchObject({
    outcome: 'failed',
    error: { code: 'NOTHING_STAGED' },
  });
  expect(await call('add', { paths: ['ä b\n.txt', 'a.txt'] })).toMatchObject({ outcome: 'succeeded' });
  expect(await call('diff', { staged: true, paths: ['a.txt'] })).toMatchObject({
    output: { text: expect.stringMatching(/^diff --git a\/a\.txt b\/a\.txt\n[^]*-one\n\+two\n$/) },
  });
  const message = '# Second\n\n-m --amend $(id) "quoted"';
  const committed = await call('commit', { message });
  expect(committed).toMatchObject({ output: { sha: git('rev-parse', 'HEAD') } });
  expect(git('log', '-1', '--format=%B')).toBe(message);
  expect(await call('log', { max: 5 })).toMatchObject({
    output: { commits: [{ subject: '# Second', author: 'Ana <ana@example.org>' }, { subject: 'First' }] },
  });
  expect(await call('show', { ref: 'HEAD~1', path: 'a.txt' })).toMatchObject({ output: { text: 'one\n' } });
  expect(await call('show', { ref: 'HEAD' })).toMatchObject({ outcome: 'succeeded' });
  expect(await call('branch', { name: 'topic', from: 'HEAD~1' })).toMatchObject({ outcome: 'succeeded' });
  expect(await call('switch', { name: 'topic' })).toMatchObject({
    output: { sha: git('rev-parse', 'topic') },
  });
  expect(git('branch', '--show-current')).toBe('topic');
  expect(existsSync(join(place.root, '.git', 'sprung'))).toBe(false);
});

test.each<[string, JsonObject]>([
  ['log', { ref: '--output=stolen' }],
  ['log', { ref: '-p' }],
  ['show', { ref: '--output=stolen' }],
  ['show', { ref: 'HEAD', path: '../../etc/passwd' }],
  ['diff', { from: '--no-index', to: '/etc/passwd' }],
  ['diff', { from: 'HEAD..main' }],
  ['diff', { to: 'HEAD' }],
  ['diff', { paths: ['../outside'] }],
  ['branch', { name: '-D' }],
  ['branch', { name: '--edit-description' }],
  ['branch', { name: 'main' }],
  ['switch', { name: '--orphan' }],
  ['switch', { name: '-' }],
  ['switch', { name: '@{-1}' }],
  ['switch', { name: 'nothing' }],
  ['add', { paths: ['/etc/passwd'] }],
  ['add', { paths: ['--force'] }],
  ['add', { paths: [':(top)*'] }],
  ['add', { paths: ['*'] }],
  ['commit', { message: ' ' }],
  ['commit', { message: 'x', amend: true }],
])('git.%s with %j does nothing, and says so', async (name, args) => {
  const { place, git, file, call } = newRepository();
  file('b.txt', 'new\n');
  const before = [git('for-each-ref'), git('status', '--porcelain'), git('symbolic-ref', 'HEAD')];
  expect(await call(name, args)).toMatchObject({
    outcome: 'failed',
    error: { message: expect.stringMatching(/\S/) },
  });
  expect([git('for-each-ref'), git('status', '--porcelain'), git('symbolic-ref', 'HEAD')]).toEqual(before);
  expect(existsSync(join(place.root, 'stolen'))).toBe(false);
});

test('of a call whose process was killed the repository tells what came of it', async () => {
  const { git, file, call, carried } = newRepository();
  const key = 'k'.repeat(32);
  const settled = async (name: string, args: JsonObject, by = key) => carried(name).settled?.(args, [], by);
  file('a.txt', 'two\n');
  await call('add', { paths: ['a.txt'] });
  expect(await settled('commit', { message: 'Second' })).toEqual({ as: 'failed' });
  await call('commit', { message: 'Second' });
  expect(await settled('commit', { message: 'Second' })).toMatchObject({ as: 'succeeded' });
  // Neither its message nor what has been staged since tells whose commit it is.
  expect(await settled('commit', { message: 'Second' }, 'another')).toEqual({ as: 'failed' });
  file('a.txt', 'three\n');
  await call('add', { paths: ['a.txt'] });
  expect(await settled('commit', { message: 'Second' })).toMatchObject({
    as: 'succeeded',
    output: { sha: git('rev-parse', 'HEAD') },
  });
  // What no branch has any more was taken away by somebody, or never got there.
  git('reset', '-q', 'HEAD~1');
  expect(await settled('commit', { message: 'Second' })).toBeNull();
  git('reset', '-q', '--hard', 'HEAD@{1}');
  expect(await settled('branch', { name: 'topic' })).toEqual({ as: 'failed' });
  await call('branch', { name: 'topic' });
  expect(await settled('branch', { name: 'topic' })).toMatchObject({ as: 'succeeded' });
  expect(await settled('branch', { name: 'topic', from: 'HEAD~1' })).toBeNull();
  expect(await settled('switch', { name: 'topic' })).toEqual({ as: 'failed' });
  git('checkout', '-q', 'topic');
  expect(await settled('switch', { name: 'topic' })).toMatchObject({ as: 'succeeded' });
});

test('what is too long is refused with what to do, and a folder without a repository is named', async () => {
  const { file, call } = newRepository();
  file('a.txt', `${'x'.repeat(99)}\n`.repeat(20_000));
  expect(await call('diff')).toMatchObject({ outcome: 'failed', error: { code: 'TOO_LARGE' } });
  const place = newWorkplace();
  const tool = KITS.flatMap(({ tools }) => tools).find(({ name }) => name === 'git.status');
  const outcome = await tool?.carry({}, { environment: place, markOfLook: () => 'look' }).call(callWith({}));
  expect(outcome).toMatchObject({ outcome: 'failed', error: { code: 'NO_REPOSITORY' } });
});

test('git has the time of the call, and no more', async () => {
  const { place, git, file, carried } = newRepository();
  git('config', 'filter.slow.clean', 'sleep 30');
  writeFileSync(join(place.root, '.git', 'info', 'attributes'), '*.txt filter=slow\n');
  file('a.txt', 'two\n');
  const add = carried('add');
  expect(await add.call(callWith({ paths: ['a.txt'] }, { timeoutMs: 500 }))).toMatchObject({
    outcome: 'timed_out',
    error: { code: 'TIMEOUT' },
  });
});

test('a project that is a part of its repository is named by its own paths, and the first commit can be made', async () => {
  const { place, git, file } = newRepository();
  mkdirSync(join(place.root, 'app'));
  file('app/b.txt', 'one\n');
  file('outside.txt', 'x\n');
  const kit = KITS.find(({ name }) => name === 'git');
  const within = async (name: string, args: JsonObject, root: string) =>
    kit?.tools
      .find((tool) => tool.name === name)
      ?.carry({}, { environment: { ...place, root }, markOfLook: () => 'look' })
      .call(callWith(args));
  const app = join(place.root, 'app');
  expect(await within('git.status', {}, app)).toMatchObject({
    output: { entries: [{ path: 'b.txt', index: '?', worktree: '?' }] },
  });
  expect(await within('git.add', { paths: ['b.txt'] }, app)).toMatchObject({ outcome: 'succeeded' });
  expect(await within('git.commit', { message: 'B' }, app)).toMatchObject({ outcome: 'succeeded' });
  expect(await within('git.show', { ref: 'HEAD', path: 'b.txt' }, app)).toMatchObject({
    output: { text: 'one\n' },
  });
  git('init', '-q', '-b', 'main', join(place.root, 'new'));
  const fresh = join(place.root, 'new');
  writeFileSync(join(fresh, 'c.txt'), 'c\n');
  expect(await within('git.add', { paths: ['c.txt'] }, fresh)).toMatchObject({ output: { sha: null } });
});
