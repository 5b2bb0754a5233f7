import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { appendLine } from '../../src/host/files/text-files.js';
import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';
import { startModelServer, uniformTree, type ModelServerOptions } from '../support/model-server.js';

const tree = uniformTree(1, 2, 'Bake bread');

async function planner(options: ModelServerOptions = {}) {
  const server = await startModelServer({ tree, ...options });
  onTestFinished(() => server.close());
  const environment = { OPENAI_BASE_URL: server.baseUrl, FRCTL_MODEL: 'm' };
  const user = newUser();
  const record = (file: string) => user.run(['init', tree.description, '--record', file], environment);
  return { server, user, record };
}

describe('--record', () => {
  test.each([
    ['a link to a file outside', '.bashrc', 'is a link'],
    ['a link to nothing yet', 'not-there', 'is a link'],
  ])('refuses %s before anything is asked, and writes nothing there', async (_what, name, says) => {
    const { server, user, record } = await planner();
    const outside = join(temporaryFolder(), name);
    if (name === '.bashrc') writeFileSync(outside, 'alias ll=ls\n');
    symlinkSync(outside, join(user.folder, 'calls.jsonl'));
    const ended = await record('calls.jsonl');
    expect([ended.status, ended.error]).toEqual([2, expect.stringContaining(says)]);
    expect(server.count).toBe(0);
    expect(existsSync(join(user.folder, '.plans'))).toBe(false);
    expect(existsSync(outside) ? readFileSync(outside, 'utf8') : null).toBe(
      name === '.bashrc' ? 'alias ll=ls\n' : null,
    );
  });

  test('refuses a pipe, a device, a folder and a file of the store', async () => {
    const { server, user, record } = await planner();
    await user.run(['init', 'Another', '--no-decompose']);
    const store = join(user.folder, '.plans');
    const log = readdirSync(store).find((one) => one.endsWith('.events.jsonl')) ?? '';
    const before = readFileSync(join(store, log), 'utf8');
    execFileSync('mkfifo', [join(user.folder, 'pipe')]);
    for (const file of ['pipe', '/dev/null', '.', join('.plans', log)])
      expect([file, (await record(file)).status]).toEqual([file, 2]);
    expect(server.count).toBe(0);
    expect(readFileSync(join(store, log), 'utf8')).toBe(before);
  });

  test('refuses a folder that is not there before anything is asked', async () => {
    const { server, user, record } = await planner();
    const ended = await record('records/calls.jsonl');
    expect([ended.status, ended.error]).toEqual([2, expect.stringContaining('there is no folder ')]);
    expect(server.count).toBe(0);
    expect(existsSync(join(user.folder, '.plans'))).toBe(false);
  });

  test('that goes away costs no reply: what was answered is in the plan, and is not asked again', async () => {
    const folder = temporaryFolder();
    const deep = uniformTree(2, 2, 'Bake bread');
    const { server, user } = await planner({
      tree: deep,
      until: async () => rmSync(folder, { recursive: true, force: true }),
    });
    const environment = { OPENAI_BASE_URL: server.baseUrl, FRCTL_MODEL: 'm', FRCTL_LINK: 'false' };
    const file = join(folder, 'calls.jsonl');
    const ended = await user.run(
      ['init', deep.description, '--record', file, '--concurrency', '1'],
      environment,
    );
    expect([ended.status, ended.error]).toEqual([
      7,
      expect.stringContaining('the recording could not be written'),
    ]);
    expect(server.count).toBe(1);
    expect((await user.run(['resume'], environment)).status).toBe(0);
    const goals = server.requests.map(({ goal }) => goal);
    expect(new Set(goals).size).toBe(goals.length);
  });

  test('appends to a file in a folder that the user reaches through a link of his own', async () => {
    const { server, user, record } = await planner();
    const elsewhere = temporaryFolder();
    writeFileSync(join(elsewhere, 'calls.jsonl'), '');
    symlinkSync(elsewhere, join(user.folder, 'records'));
    expect((await record('records/calls.jsonl')).status).toBe(0);
    const lines = readFileSync(join(elsewhere, 'calls.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(server.count);
  });
});

describe('a line is appended', () => {
  test('to no link, pipe or device that has taken the place of the file since', async () => {
    const folder = temporaryFolder();
    const outside = join(temporaryFolder(), 'outside');
    writeFileSync(outside, 'mine\n');
    symlinkSync(outside, join(folder, 'link'));
    symlinkSync('/dev/full', join(folder, 'device'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    mkdirSync(join(folder, 'folder'));
    for (const name of ['link', 'device', 'pipe', 'folder'])
      await expect(appendLine(join(folder, name), 'x')).rejects.toMatchObject({
        code: 'STORAGE_FAILED',
        message: expect.stringContaining(join(folder, name)) as string,
      });
    await expect(appendLine('/dev/null', 'x')).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    expect(readFileSync(outside, 'utf8')).toBe('mine\n');
  });

  test('with its line end, after what is there', async () => {
    const file = join(temporaryFolder(), 'lines');
    await appendLine(file, 'one');
    await appendLine(file, 'two\n');
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
  });
});
