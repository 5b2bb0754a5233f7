import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { writeFolder } from '../../src/host/files/write-folder.js';
import { temporaryFolder } from '../support/folders.js';

const file = (path: string) => ({ path, text: 'text' });

test.each([
  '../out.md',
  'a/../../out.md',
  '/tmp/out.md',
  '//server/share/out.md',
  'C:/out.md',
  'a\\..\\..\\out.md',
  'a/\0.md',
  'a/\u001b[31m.md',
  'a//b.md',
  './a.md',
  '',
  'a/',
  'a/con.md',
  'NUL',
  'com1.tar.gz/x',
  'a/name.',
  'a/name /x',
  'a/x:stream',
  `a/${'é'.repeat(150)}.md`,
])('no file is written when one would be %j', async (path) => {
  const folder = join(temporaryFolder(), 'in');
  await expect(writeFolder(folder, [file('good.md'), file(path)])).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
  expect(existsSync(folder)).toBe(false);
});

test('two files of one name, in either case or form, are refused before the first is written', async () => {
  const folder = temporaryFolder();
  for (const [one, other] of [
    ['a/B.md', 'A/b.md'],
    ['\u00e9.md', 'e\u0301.md'],
  ] as const)
    await expect(writeFolder(folder, [file(one), file(other)])).rejects.toMatchObject({
      message: expect.stringContaining('is there twice'),
    });
  expect(readdirSync(folder)).toEqual([]);
});

test('links below the folder are not followed; the folder itself may be behind one', async () => {
  const [place, elsewhere] = [temporaryFolder(), temporaryFolder()];
  symlinkSync(elsewhere, join(place, 'link'));
  await expect(writeFolder(place, [file('link/a.md')])).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  expect(readdirSync(elsewhere)).toEqual([]);
  await writeFolder(join(place, 'link'), [file('deep/er/a.md')]);
  expect(readFileSync(join(elsewhere, 'deep/er/a.md'), 'utf8')).toBe('text');
});

test('a folder that holds anything is refused, a broken link too, and one that is looked at only as well', async () => {
  const place = temporaryFolder();
  mkdirSync(join(place, 'other'));
  symlinkSync(join(place, 'nowhere'), join(place, 'other/broken'));
  mkdirSync(join(place, 'full'));
  writeFileSync(join(place, 'full/a.md'), 'mine');
  for (const path of ['other/new.md', 'full/b.md'])
    await expect(writeFolder(place, [file(path)])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await expect(writeFolder(place, [file('new/a.md')], ['full'])).rejects.toMatchObject({
    message: expect.stringContaining('full holds files already'),
  });
  expect(readdirSync(place).toSorted()).toEqual(['full', 'other']);
  expect(readFileSync(join(place, 'full/a.md'), 'utf8')).toBe('mine');
});
