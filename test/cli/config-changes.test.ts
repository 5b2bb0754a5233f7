import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { whileLocked } from '../../src/host/files/file-lock.js';
import { scale } from '../faults/support/scale.js';
import { errorOf, newUser } from '../support/command.js';
import type { Ended, User } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';

const configSchema = z.object({
  trusted_base_urls: z.array(z.string()).optional(),
  prices: z.record(z.string(), z.unknown()).optional(),
  model: z.string().optional(),
  max_depth: z.int().optional(),
});

const folderOf = (user: User) => join(user.home, '.config', 'frctl');
const configOf = (user: User) =>
  configSchema.parse(JSON.parse(readFileSync(join(folderOf(user), 'config.json'), 'utf8')));

describe('changes of one config by processes that run at once', () => {
  test('are all kept, whatever they change', async () => {
    const user = newUser();
    const urls = Array.from({ length: scale(12, 5) }, (_, index) => `https://host${index}.example.com/v1`);
    const ended = await Promise.all([
      ...urls.map((url) => user.run(['config', 'trust', url])),
      user.run(['config', 'set', 'model', 'mine', '--user']),
      user.run(['config', 'set', 'max_depth', '3', '--user']),
      user.run(['config', 'set', 'prices', '{"a":{"input":1,"output":1}}', '--user']),
    ]);
    expect(ended.map(({ status, error }) => `${status}${error}`)).toEqual(ended.map(() => '0'));
    const { trusted_base_urls = [], ...others } = configOf(user);
    expect(trusted_base_urls.toSorted()).toEqual(urls.toSorted());
    expect(others).toEqual({ model: 'mine', max_depth: 3, prices: { a: { input: 1, output: 1 } } });
    expect(readdirSync(folderOf(user))).toEqual(['config.json']);
  });

  test('are all kept in the config of a project', async () => {
    const user = newUser();
    mkdirSync(join(user.folder, '.plans'));
    const settings = { model: 'mine', max_depth: '3', max_goals: '9' };
    const ended = await Promise.all(
      Object.entries(settings).map(([name, value]) => user.run(['config', 'set', name, value])),
    );
    expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 0));
    expect(JSON.parse(readFileSync(join(user.folder, '.plans', 'config.json'), 'utf8'))).toEqual({
      model: 'mine',
      max_depth: 3,
      max_goals: 9,
    });
    expect(readdirSync(join(user.folder, '.plans'))).toEqual(['config.json']);
  });

  test('that were acknowledged are kept when others are killed, and nobody waits for those for ever', async () => {
    const user = newUser();
    const urls = Array.from({ length: scale(16, 8) }, (_, index) => `https://host${index}.example.com/v1`);
    const runs = urls.map((url) => user.start(['config', 'trust', url]));
    // Spread over the time in which they are at it.
    const kills = runs
      .filter((_, index) => index % 2 === 0)
      .map(
        ({ process }, index) =>
          new Promise<void>((resolve) => {
            setTimeout(() => resolve(void process.kill('SIGKILL')), 150 + index * 150);
          }),
      );
    const ended: readonly Ended[] = await Promise.all(runs.map((run) => run.ended));
    await Promise.all(kills);
    expect((await user.run(['config', 'set', 'model', 'last', '--user'])).status).toBe(0);
    const { trusted_base_urls = [], model } = configOf(user);
    expect(model).toBe('last');
    const acknowledged = urls.filter((_, index) => ended[index]?.status === 0);
    expect(acknowledged.length).toBeGreaterThanOrEqual(urls.length / 2);
    for (const url of acknowledged) expect(trusted_base_urls).toContain(url);
  });

  test('leave a config that is a link where it is, and change what it leads to', async () => {
    const user = newUser();
    mkdirSync(folderOf(user), { recursive: true });
    const kept = join(user.home, 'dotfiles.json');
    writeFileSync(kept, '{}');
    symlinkSync(kept, join(folderOf(user), 'config.json'));
    expect((await user.run(['config', 'set', 'model', 'mine', '--user'])).status).toBe(0);
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual({ model: 'mine' });
    expect(configOf(user).model).toBe('mine');
  });
});

describe('a lock', () => {
  const holder = (more: object) =>
    JSON.stringify({ id: 'abc123', host: hostname(), pid: process.pid, ...more });

  test('of a process that is gone, or of an earlier one with its number, is taken from it', async () => {
    for (const left of [holder({ pid: 2 ** 22 + 7 }), holder({ process_start: '1' })]) {
      const path = join(temporaryFolder(), 'config.json');
      writeFileSync(`${path}.lock.tmp`, left);
      await expect(whileLocked(path, () => Promise.resolve('done'))).resolves.toBe('done');
      expect(readdirSync(join(path, '..'))).toEqual([]);
    }
  });

  test('keeps out whoever comes while something is done, in one process as well', async () => {
    const path = join(temporaryFolder(), 'config.json');
    let inside = 0;
    let done = 0;
    const work = async () => {
      inside += 1;
      expect(inside).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside -= 1;
      done += 1;
    };
    await Promise.all(Array.from({ length: 20 }, () => whileLocked(path, work)));
    expect(done).toBe(20);
  });

  test.each([
    ['of a process that is there', holder({})],
    ['of another machine', holder({ host: 'elsewhere' })],
    ['that nobody can read', 'not JSON'],
    ['whose id leads elsewhere', holder({ id: '../../x', pid: 2 ** 22 + 7 })],
  ])('%s is respected, and the error says what to do', async (_name, left) => {
    const path = join(temporaryFolder(), 'config.json');
    writeFileSync(`${path}.lock.tmp`, left);
    await expect(whileLocked(path, () => Promise.resolve(), { patience: 20 })).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
      hint: expect.stringContaining(`delete ${path}.lock.tmp`) as string,
    });
    expect(readFileSync(`${path}.lock.tmp`, 'utf8')).toBe(left);
  });
});

test.each([
  [['config', 'set', 'model'], 'plan config set needs <value>', 'plan config set <name> <value>'],
  [['config', 'unset'], 'plan config unset needs <name>', 'plan config unset <name>'],
  [['config', 'trust'], 'plan config trust needs <url>', 'plan config trust <url>'],
  [['config', 'unset', 'model', 'x'], 'plan config unset takes no "x"', 'plan config unset <name>'],
  [['config', 'show', '--user'], 'plan config show takes no --user', undefined],
  [
    ['config', 'trust', 'http://127.0.0.1/v1', '--model', 'm'],
    'plan config trust takes no --model',
    undefined,
  ],
])('plan %j is refused, with what it takes', async (args, message, hint) => {
  const ended = await newUser().run([...args, '--json']);
  expect(ended.status).toBe(2);
  expect(errorOf(ended.json())).toMatchObject({
    code: 'USAGE',
    message,
    ...(hint === undefined ? {} : { hint }),
  });
});

test('a price of a model called __proto__, which would be lost in silence, is refused', async () => {
  const user = newUser();
  const { status, error } = await user.run([
    'config',
    'set',
    'prices',
    '{"__proto__":{"input":1,"output":1}}',
    '--user',
  ]);
  expect([status, error]).toEqual([2, expect.stringContaining('a member called __proto__ cannot be kept')]);
});
