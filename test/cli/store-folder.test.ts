import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { newUser } from '../support/command.js';

describe('a folder that --dir or FRCTL_DIR names', () => {
  test('and that holds files of somebody is not made a store, nor read as one', async () => {
    const user = newUser();
    const docs = join(user.folder, 'docs');
    mkdirSync(docs);
    writeFileSync(join(docs, 'index.json'), '{"my":"data"}');
    writeFileSync(join(docs, '.gitignore'), 'dist\n');
    for (const [args, variables] of [
      [['init', 'Bake bread', '--no-decompose', '--dir', 'docs'], {}],
      [['init', 'Bake bread', '--no-decompose'], { FRCTL_DIR: 'docs' }],
      [['list', '--dir', 'docs'], {}],
    ] as const)
      expect(await user.run(args, variables)).toMatchObject({
        status: 2,
        error: expect.stringContaining('docs is not a store, and holds other files') as string,
      });
    expect(readdirSync(docs).toSorted()).toEqual(['.gitignore', 'index.json']);
    expect(readFileSync(join(docs, 'index.json'), 'utf8')).toBe('{"my":"data"}');
  });

  test('and that is empty, new, or has what is put there beforehand becomes one, and stays one', async () => {
    const user = newUser();
    for (const [name, files] of [
      ['empty', []],
      ['beforehand', ['tools.yaml', '.gitignore']],
      ['new', null],
    ] as const) {
      const folder = join(user.folder, name);
      if (files !== null) mkdirSync(folder);
      for (const file of files ?? []) writeFileSync(join(folder, file), '');
      const made = await user.run(['init', 'Bake bread', '--no-decompose', '--dir', name]);
      expect([name, made.status, made.error]).toEqual([name, 0, made.error]);
      writeFileSync(join(folder, 'notes.txt'), 'mine');
      expect((await user.run(['list', '--dir', name])).out).toContain('Bake bread');
    }
  });

  test('and that cannot be one is told with its path', async () => {
    const user = newUser();
    writeFileSync(join(user.folder, 'file'), '');
    symlinkSync('nowhere', join(user.folder, 'link'));
    for (const [name, reason] of [
      ['file/sub', 'file/sub: a part of the path is not a folder'],
      ['a'.repeat(300), 'the name, or the whole path, is longer than the file system takes'],
      ['link', 'link is a link that leads nowhere'],
    ] as const)
      for (const command of [['list'], ['init', 'Bake bread', '--no-decompose']])
        expect(await user.run([...command, '--dir', name])).toMatchObject({
          status: 2,
          error: expect.stringContaining(reason) as string,
        });
    expect(existsSync(join(user.folder, 'nowhere'))).toBe(false);
  });
});
