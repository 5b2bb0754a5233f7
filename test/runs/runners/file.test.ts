import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import type { FileAction, FileBinding } from '../../../src/features/actions/tools/bindings.js';
import { callFile, inputsOfFile } from '../../../src/features/runs/runners/file.js';
import type { JsonObject } from '../../../src/kernel/json/json-value.js';
import { sha256 } from '../../../src/kernel/sha256.js';
import { temporaryFolder } from '../../support/folders.js';
import { callWith, newWorkplace } from '../../support/workplace.js';
import type { TestWorkplace } from '../../support/workplace.js';

const run = (file: FileAction, args: JsonObject, place: TestWorkplace, more: Partial<FileBinding> = {}) =>
  callFile({ file, ...more }, callWith(args), place);

describe('the built-in file tools', () => {
  test('write, append, read, list, move and remove, and keep what they replace', async () => {
    const place = newWorkplace();
    const notes = { root: 'notes' };
    expect(await run('write', { path: 'a/b.md', text: 'one\n' }, place, notes)).toMatchObject({
      outcome: 'succeeded',
      output: { path: 'notes/a/b.md', bytes: 4, sha256: sha256('one\n') },
    });
    expect(await run('append', { path: 'a/b.md', text: 'two\n' }, place, notes)).toMatchObject({
      output: { replaced: 'kept-1' },
    });
    expect(await run('read', { path: 'a/b.md' }, place, notes)).toMatchObject({
      output: { text: 'one\ntwo\n' },
    });
    expect(await run('list', { path: 'a' }, place, notes)).toMatchObject({
      output: { entries: [{ name: 'b.md', kind: 'file' }] },
    });
    expect(await run('move', { from: 'a/b.md', to: 'c.md' }, place, notes)).toMatchObject({
      output: { path: 'notes/c.md', from: 'notes/a/b.md' },
    });
    expect(await run('remove', { path: 'c.md' }, place, notes)).toMatchObject({ outcome: 'succeeded' });
    expect(await run('remove', { path: 'c.md' }, place, notes)).toMatchObject({
      outcome: 'not_sent',
      error: { code: 'NOT_FOUND' },
    });
    symlinkSync('/etc/passwd', join(place.root, 'notes/pw'));
    for (const path of ['c.md', 'pw']) {
      expect(await run('read', { path }, place, notes)).toMatchObject({
        error: { message: expect.stringContaining(join(place.root, 'notes', path)) as string },
      });
    }
    expect(place.kept.map(String)).toEqual(['one\n', 'one\ntwo\n', 'one\ntwo\n']);
  });

  test.skipIf(process.platform === 'win32')('leave who may do what with a file', async () => {
    const place = newWorkplace();
    const at = (name: string) => join(place.root, name);
    const modeOf = (name: string) => lstatSync(at(name)).mode & 0o777;
    for (const [name, mode] of [
      ['run.sh', 0o700],
      ['key', 0o600],
      ['open', 0o644],
      ['log', 0o640],
    ] as const) {
      writeFileSync(at(name), name);
      chmodSync(at(name), mode);
    }
    await run('move', { from: 'run.sh', to: 'bin/run.sh' }, place);
    expect(modeOf('bin/run.sh')).toBe(0o700);
    await run('write', { path: 'bin/run.sh', text: '' }, place);
    expect(modeOf('bin/run.sh')).toBe(0o700);
    await run('append', { path: 'log', text: '' }, place);
    expect(modeOf('log')).toBe(0o640);
    // A key does not become readable by all because there was something that was.
    await run('move', { from: 'key', to: 'open' }, place);
    expect(modeOf('open')).toBe(0o600);
    expect(place.kept.map(String)).toEqual(['run.sh', 'run.sh', 'log', 'key', 'open']);
  });

  test.skipIf(process.platform === 'win32')(
    'put back what was there with its own permissions where a file could not be moved',
    async () => {
      const place = newWorkplace();
      const [from, to] = ['from', 'to'].map((name) => join(place.root, name)) as [string, string];
      writeFileSync(from, 'of from');
      chmodSync(from, 0o600);
      writeFileSync(to, 'of to');
      chmodSync(to, 0o754);
      const changing: TestWorkplace = {
        ...place,
        // An editor saves the source after the target was kept, which is before it is written.
        keep: async (content) => {
          if (String(content) === 'of to') writeFileSync(from, 'of an editor');
          return place.keep(content);
        },
      };
      expect(await run('move', { from: 'from', to: 'to' }, changing)).toMatchObject({
        error: { code: 'CONFLICT' },
      });
      expect([readFileSync(from, 'utf8'), readFileSync(to, 'utf8')]).toEqual(['of an editor', 'of to']);
      expect([from, to].map((path) => lstatSync(path).mode & 0o777)).toEqual([0o600, 0o754]);
    },
  );

  test('move no file onto itself, by whatever name', async () => {
    const place = newWorkplace();
    const file = join(place.root, 'a.txt');
    writeFileSync(file, 'all there is');
    linkSync(file, join(place.root, 'A.txt'));
    mkdirSync(join(place.root, 'b'));
    symlinkSync(place.root, join(place.root, 'b', 'up'));
    for (const to of ['a.txt', './a.txt', 'b/up/a.txt', 'A.txt'])
      expect(await run('move', { from: 'a.txt', to }, place)).toMatchObject({
        outcome: 'not_sent',
        error: { code: 'VALIDATION_ERROR', retryable: false },
      });
    expect(readFileSync(file, 'utf8')).toBe('all there is');
    expect(place.kept).toEqual([]);
  });

  test.each([
    '../x',
    'a/../../x',
    '/etc/x',
    'C:\\x',
    '..\\x',
    '',
    'a\0b',
    '.git/hooks/x',
    '.GIT/config',
    'sub/.git/x',
    '.plans/x',
    '.Plans/tools.yaml',
  ])('refuse the name %j', async (path) => {
    const place = newWorkplace();
    mkdirSync(join(place.root, '.git'));
    for (const action of ['write', 'append'] as const)
      expect(await run(action, { path, text: 'x' }, place)).toMatchObject({
        outcome: 'not_sent',
        error: { retryable: false },
      });
    for (const action of ['read', 'remove', 'list'] as const)
      expect(await run(action, { path }, place)).toMatchObject({ outcome: 'not_sent' });
    expect(readdirSync(join(place.root, '.plans'))).toEqual([]);
    expect(existsSync(join(place.root, '..', 'x'))).toBe(false);
  });

  test('follow no link out of the workspace, and none in place of a file', async () => {
    const place = newWorkplace();
    const outside = realpathSync(temporaryFolder());
    writeFileSync(join(outside, 'secret'), 'secret');
    symlinkSync(outside, join(place.root, 'folder'));
    symlinkSync(join(outside, 'secret'), join(place.root, 'file'));
    symlinkSync(join(outside, 'new'), join(place.root, 'broken'));
    symlinkSync(join(place.root, '.plans'), join(place.root, 'store'));
    for (const path of ['folder/secret', 'folder/new', 'file', 'broken', 'broken/x', 'store/x'])
      for (const action of ['read', 'write', 'append', 'remove'] as const) {
        const outcome = await run(action, { path, text: 'x' }, place);
        expect(outcome.outcome, `${action} ${path}`).not.toBe('succeeded');
        expect(JSON.stringify(outcome)).not.toContain('"secret"');
      }
    expect(readdirSync(outside)).toEqual(['secret']);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
  });

  test('write nothing outside while somebody swaps folder and file for links', async () => {
    const place = newWorkplace();
    const outside = realpathSync(temporaryFolder());
    mkdirSync(join(place.root, 'real'));
    const script = `const fs = require('fs'); const [root, out] = process.argv.slice(1);
      for (;;) { try { fs.renameSync(root + '/real', root + '/away'); fs.symlinkSync(out, root + '/real'); fs.unlinkSync(root + '/real'); fs.renameSync(root + '/away', root + '/real');
        fs.symlinkSync(out + '/target', root + '/real/t'); fs.unlinkSync(root + '/real/t'); } catch { try { fs.renameSync(root + '/away', root + '/real') } catch {} } }`;
    const attacker = spawn(process.execPath, ['-e', script, place.root, outside], { stdio: 'ignore' });
    onTestFinished(() => void attacker.kill('SIGKILL'));
    const outcomes = new Set<string>();
    for (let round = 0; round < 150; round += 1)
      outcomes.add((await run('write', { path: 'real/t', text: 'written' }, place)).outcome);
    attacker.kill('SIGKILL');
    expect(readdirSync(outside)).toEqual([]);
    expect(outcomes.size).toBeGreaterThan(0);
  });

  test.each([
    ['remove', { path: 'a.md' }],
    ['move', { from: 'a.md', to: 'b.md' }],
    ['move', { from: 'a.md', to: 'there.md' }],
    ['append', { path: 'a.md', text: 'more' }],
  ] as const)('%s nothing that an editor saves meanwhile: %j', async (file, args) => {
    const place = newWorkplace();
    const path = join(place.root, 'a.md');
    writeFileSync(path, 'old');
    writeFileSync(join(place.root, 'there.md'), 'is there');
    const saving: TestWorkplace = {
      ...place,
      async keep(content) {
        if (String(content) === 'old') writeFileSync(path, 'saved meanwhile');
        return place.keep(content);
      },
    };
    expect(await run(file, args, saving)).toMatchObject({
      outcome: 'not_sent',
      error: { code: 'CONFLICT' },
    });
    expect(readFileSync(path, 'utf8')).toBe('saved meanwhile');
    expect(readFileSync(join(place.root, 'there.md'), 'utf8')).toBe('is there');
    expect(existsSync(join(place.root, 'b.md'))).toBe(false);
  });

  test.each([
    [
      'a file too large to be read',
      (path: string) => writeFileSync(path, Buffer.alloc(10 * 1024 * 1024 + 1)),
    ],
    ['a link', (path: string) => symlinkSync('elsewhere', path)],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
  ])('write over nothing that appears meanwhile: %s', async (_name, make) => {
    const place = newWorkplace();
    const path = join(place.root, 'a.txt');
    // What is written is large, so that there is time while the temporary file stands there.
    const written = run('write', { path: 'a.txt', text: 'x'.repeat(9 * 1024 * 1024) }, place);
    while (!readdirSync(place.root).some((name) => name.endsWith('.tmp'))) await setImmediate();
    make(path);
    const made = lstatSync(path);
    expect(await written).toMatchObject({ outcome: 'not_sent', error: { code: 'CONFLICT' } });
    expect(lstatSync(path)).toMatchObject({ ino: made.ino, size: made.size });
    expect(readdirSync(place.root).toSorted()).toEqual(['.plans', 'a.txt']);
  });

  test('write over nothing that was changed since the run was prepared', async () => {
    const place = newWorkplace();
    const binding: FileBinding = { file: 'write' };
    const args = { path: 'a.md', text: 'new' };
    expect(await inputsOfFile(binding, args, place)).toEqual([{ path: 'a.md', sha256: null }]);
    writeFileSync(join(place.root, 'a.md'), 'of a person');
    const none = callWith(args, { expected: [{ path: 'a.md', sha256: null, since: 'prepared' }] });
    expect(await callFile(binding, none, place)).toMatchObject({
      outcome: 'not_sent',
      error: { code: 'CONFLICT' },
    });
    expect(readFileSync(join(place.root, 'a.md'), 'utf8')).toBe('of a person');
    const now = await inputsOfFile(binding, args, place);
    const expected = now.map((file) => ({ ...file, since: 'prepared' }) as const);
    expect(await callFile(binding, callWith(args, { expected }), place)).toMatchObject({
      outcome: 'succeeded',
    });
    expect(await inputsOfFile({ file: 'move' }, { from: 'a.md', to: 'b.md' }, place)).toEqual([
      { path: 'a.md', sha256: sha256('new') },
      { path: 'b.md', sha256: null },
    ]);
  });

  test('lose nothing when many calls add to one file at once', async () => {
    const place = newWorkplace();
    const lines = Array.from({ length: 20 }, (_one, index) => `${index}\n`);
    await Promise.all(lines.map((text) => run('append', { path: 'log', text }, place)));
    expect(readFileSync(join(place.root, 'log'), 'utf8').split('\n').toSorted()).toEqual(
      ['', ...lines.map((line) => line.trim())].toSorted(),
    );
  });

  test('take at most 10 MB, and no device, pipe or folder for a file', async () => {
    const place = newWorkplace();
    expect(await run('write', { path: 'a', text: 'x'.repeat(10 * 1024 * 1024 + 1) }, place)).toMatchObject({
      outcome: 'not_sent',
      error: { code: 'VALIDATION_ERROR' },
    });
    mkdirSync(join(place.root, 'folder'));
    expect(await run('write', { path: 'folder', text: 'x' }, place)).not.toMatchObject({
      outcome: 'succeeded',
    });
    expect(await run('read', { path: 'folder' }, place)).not.toMatchObject({ outcome: 'succeeded' });
    writeFileSync(join(place.root, 'large'), Buffer.alloc(10 * 1024 * 1024 + 1));
    renameSync(join(place.root, 'large'), join(place.root, 'l'));
    expect(await run('read', { path: 'l' }, place)).toMatchObject({
      outcome: 'failed',
      error: { code: 'VALIDATION_ERROR' },
    });
    expect(await run('append', { path: 'l', text: 'x' }, place)).toMatchObject({ outcome: 'not_sent' });
  });
});
