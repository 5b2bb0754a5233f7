import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';
import { startMcp } from '../support/mcp-client.js';

describe.each([
  ['sync', (file: string) => ['sync', file]],
  ['agent-guide --write', (file: string) => ['agent-guide', '--write', file]],
])('plan %s', (_name, line) => {
  test('writes through no link that a repository brings', async () => {
    const user = newUser();
    await user.run(['init', 'Bake bread', '--no-decompose']);
    const outside = join(temporaryFolder(), '.bashrc');
    writeFileSync(outside, 'alias ll=ls\n');
    symlinkSync(outside, join(user.folder, 'TODO.md'));
    const ended = await user.run(line('TODO.md'));
    expect(ended).toMatchObject({ status: 2, error: expect.stringContaining('TODO.md is a link') as string });
    expect(readFileSync(outside, 'utf8')).toBe('alias ll=ls\n');
  });

  test('changes no file of a store, and waits for no pipe', async () => {
    const user = newUser();
    await user.run(['init', 'Bake bread', '--no-decompose']);
    const store = join(user.folder, '.plans');
    const files = () =>
      readdirSync(store, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => [name, readFileSync(join(store, name), 'utf8')]);
    const before = files();
    for (const [name] of before)
      expect((await user.run(line(join('.plans', String(name))))).error).toContain('where plans are kept');
    expect(files()).toEqual(before);
    execFileSync('mkfifo', [join(user.folder, 'pipe.md')]);
    expect((await user.run(line('pipe.md'))).error).toContain('is no file');
  });
});

describe('a file that a repository brings', () => {
  const READING: readonly (readonly [string, (file: string) => readonly string[]])[] = [
    ['init --context', (file) => ['init', 'Bake a cake', '--no-decompose', '--context', file]],
    ['init --from', (file) => ['init', '--from', file]],
    ['coverage', (file) => ['coverage', '--source', file]],
    ['import', (file) => ['import', file]],
    ['answer', (file) => ['answer', '--from', file]],
    ['complete', (file) => ['complete', '1', '--from', file]],
    ['diff', (file) => ['diff', file]],
  ];

  async function cloned() {
    const user = newUser();
    execFileSync('git', ['init', '-q'], { cwd: user.folder });
    await user.run(['init', 'Bake bread', '--no-decompose']);
    await user.run(['add', 'Knead the dough']);
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'PRD.md'), '- [ ] sk-SECRET\n');
    return { user, outside };
  }

  test.each(READING)('and that leads out of it by a link is not read: plan %s', async (_name, line) => {
    const { user, outside } = await cloned();
    mkdirSync(join(user.folder, 'below'));
    symlinkSync(join(outside, 'PRD.md'), join(user.folder, 'README.md'));
    symlinkSync(outside, join(user.folder, 'docs'));
    symlinkSync(join(user.folder, '.git', 'config'), join(user.folder, 'NOTES.md'));
    for (const file of ['README.md', join('docs', 'PRD.md'), 'NOTES.md', join(user.folder, 'README.md')]) {
      const ended = await user.run(line(file));
      expect([file, ended.status, ended.error]).toEqual([
        file,
        2,
        expect.stringContaining(`${file} is a link that leads out of the repository`),
      ]);
    }
  });

  test('is read behind a link that stays in it, or when what it leads to is named', async () => {
    const { user, outside } = await cloned();
    writeFileSync(join(user.folder, 'PRD.md'), '- [ ] Bake\n');
    symlinkSync('PRD.md', join(user.folder, 'README.md'));
    for (const file of ['README.md', join(outside, 'PRD.md')])
      expect((await user.run(['init', '--from', file])).status).toBe(0);
    const alone = newUser();
    symlinkSync(join(outside, 'PRD.md'), join(alone.folder, 'mine.md'));
    expect((await alone.run(['init', '--from', 'mine.md'])).status).toBe(0);
  });
});

test('an agent has no file read that is not of the project', async () => {
  const user = newUser();
  const secret = join(user.home, 'secret.md');
  writeFileSync(secret, '- [ ] sk-SECRET\n');
  symlinkSync(secret, join(user.folder, 'linked.md'));
  writeFileSync(join(user.folder, 'todo.md'), '- [ ] Bake bread\n- [ ] Sell it\n');
  const host = await startMcp(user, '2025');
  onTestFinished(() => host.close());
  // Nobody writes into the pipe: whoever opened it would wait for ever.
  execFileSync('mkfifo', [join(user.folder, 'pipe.md')]);
  const foreign = [secret, 'linked.md', '../secret.md', '/proc/self/environ', '/etc/passwd', 'pipe.md', '.'];
  for (const file of foreign)
    for (const input of [{ document: file }, { goal: 'Bake bread', context: [file] }]) {
      const { isError, text } = await host.call('plan_start', input);
      expect([file, isError, /REFUSED|FILE_NOT_FOUND|not a plain file/.test(text)]).toEqual([
        file,
        true,
        true,
      ]);
    }
  const { isError } = await host.call('plan_start', { document: 'todo.md', context: ['todo.md'] });
  expect(isError).toBe(false);
});

test('the skill of agents is written to no place outside that a repository links to', async () => {
  const user = newUser();
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'SKILL.md'), 'my own\n');
  mkdirSync(join(user.folder, '.claude', 'skills'), { recursive: true });
  symlinkSync(outside, join(user.folder, '.claude', 'skills', 'frctl'));
  expect(await user.run(['agent-guide', '--skill'])).toMatchObject({
    status: 2,
    error: expect.stringContaining('a folder in it is a link') as string,
  });
  expect(readFileSync(join(outside, 'SKILL.md'), 'utf8')).toBe('my own\n');
  // Who names the place means where it leads.
  expect(await user.run(['agent-guide', '--skill', '.claude/skills/frctl'])).toMatchObject({ status: 0 });
  expect(readFileSync(join(outside, 'SKILL.md'), 'utf8')).toContain('plan next');
});

test('a name that is too long is said to be, with the path', async () => {
  const user = newUser();
  const name = `${'y'.repeat(300)}.md`;
  await user.run(['init', 'Bake bread', '--no-decompose']);
  for (const line of [
    ['sync', name],
    ['agent-guide', '--write', name],
  ])
    expect(await user.run(line)).toMatchObject({
      status: 7,
      error: expect.stringMatching(/yyy\.md: the name, or the whole path, is longer/) as string,
    });
});
