import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { landLock, moveLock } from '../../src/features/agents/attempt/state.js';
import { whileLocked } from '../../src/host/files/file-lock.js';
import { newAgentsPlace } from '../support/agents.js';

const CHECKED = { checks: ['ok'] };

test.each([
  ['index.lock', 'main'],
  ['refs/heads/main.lock', 'elsewhere'],
])('a %s that a killed git left is named, and what waits lands once it is removed', async (name, branch) => {
  const place = await newAgentsPlace('echo made > a.txt');
  await place.workspace.edit('1', CHECKED);
  if (branch !== 'main') place.git('switch', '-qc', branch);
  const lock = join(place.folder, '.git', name);
  writeFileSync(lock, '');
  await place.workspace.work({ base: 'main' });
  const { attempts } = await place.workspace.attempts.list();
  expect(attempts[0]).toMatchObject({ state: 'waiting' });
  expect(attempts[0]?.reason).toContain(`.git/${name}`);
  expect(place.git('log', '--format=%s', 'main')).toBe('Base\n');
  rmSync(lock);
  const commit = attempts[0]?.commit ?? '';
  expect(await place.workspace.attempts.accept('1', { commit })).toMatchObject({ outcome: 'landed' });
  expect(place.git('show', 'main:a.txt')).toBe('made\n');
});

test('a git that is at work is waited for', async () => {
  const place = await newAgentsPlace('echo made > a.txt');
  await place.workspace.edit('1', CHECKED);
  const lock = join(place.folder, '.git', 'index.lock');
  writeFileSync(lock, '');
  const freed = setTimeout(() => rmSync(lock), 4000);
  await place.workspace.work();
  clearTimeout(freed);
  expect(readFileSync(join(place.folder, 'a.txt'), 'utf8')).toBe('made\n');
});

test.each([
  ['before the agent', moveLock, 'the agent works'],
  ['to land', landLock, '  lands'],
] as const)('who waits for another that lands is stopped by two signals: %s', async (_, of, awaited) => {
  const place = await newAgentsPlace('echo made > a.txt');
  await place.workspace.edit('1', CHECKED);
  let release = () => undefined as void;
  onTestFinished(() => release());
  const lock = of(join(place.home, 'state/frctl/work'), { top: place.folder, branch: 'main' });
  let holder = Promise.resolve();
  await new Promise<void>((taken) => {
    holder = whileLocked(lock, async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
        taken();
      });
    });
  });
  const { process: child, ended } = place.start(['work', '--json'], place.variables);
  const said: string[] = [];
  child.stderr?.on('data', (part: Buffer) => said.push(part.toString()));
  await expect.poll(() => said.join(''), { timeout: 60_000 }).toContain(awaited);
  child.kill('SIGINT');
  // Two at the same moment are one.
  await sleep(1000);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ status: 130 });
  expect(place.git('log', '--format=%s', 'main')).toBe('Base\n');
  release();
  await holder;
});
