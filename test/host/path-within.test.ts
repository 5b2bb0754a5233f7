import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { pathWithin } from '../../src/host/files/path-within.js';
import { temporaryFolder } from '../support/folders.js';

test('of what a link leads to outside nothing is told, not even whether it is there', async () => {
  const [project, outside] = [realpathSync(temporaryFolder()), realpathSync(temporaryFolder())];
  writeFileSync(join(outside, 'there'), 'x');
  mkdirSync(join(project, 'deep'));
  const link = (to: string, name: string) => symlinkSync(to, join(project, name));
  link(join(outside, 'there'), 'to-file');
  link(join(outside, 'none'), 'to-nothing');
  link('../to-nothing', 'deep/to-link');
  link(outside, 'folder');
  link(join(outside, 'none'), 'no-folder');
  for (const name of [
    'to-file',
    'to-nothing',
    'deep/to-link',
    'folder/there',
    'folder/none',
    'folder/there/none',
    'no-folder/x/y',
  ]) {
    const refused = pathWithin(name, project, [project]);
    await expect(refused).rejects.toMatchObject({
      code: 'REFUSED',
      message: `${name} leads out of ${project}`,
      details: { path: join(project, name) },
    });
  }
});

test('within the folder it is told as it is, also of links', async () => {
  const project = realpathSync(temporaryFolder());
  writeFileSync(join(project, 'a'), 'x');
  symlinkSync('a', join(project, 'to-a'));
  symlinkSync('none', join(project, 'to-nothing'));
  symlinkSync('ring', join(project, 'ring'));
  expect(await pathWithin('to-a', project, [project])).toBe(join(project, 'a'));
  for (const name of ['none', 'to-nothing', 'none/x'])
    await expect(pathWithin(name, project, [project])).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
    });
  await expect(pathWithin('ring', project, [project])).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
});
