import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { fileIdentity } from '../../src/host/files/file-identity.js';
import { checkComponents, inFolderOf } from '../../src/host/files/folder-handle.js';
import { realFolder } from '../../src/host/files/folders.js';
import { findStore } from '../../src/storage/file/store-paths.js';
import { openToAppend, readPlainBytes, readPlainBytesNow } from '../../src/host/files/plain-file.js';
import { copyPlainFile } from '../../src/host/files/copy-file.js';
import { makeFolder } from '../../src/host/files/make-folder.js';
import { deleteFile, moveFile } from '../../src/host/files/move-file.js';
import { createFile, replaceFile } from '../../src/host/files/replace-file.js';
import { fileNames, copyToFolder, readStoredFolder, readTextFile } from '../../src/host/files/text-files.js';
import { temporaryFolder } from '../support/folders.js';

const HOLES = 10 * 1024 ** 3;

function place() {
  const folder = realpathSync(temporaryFolder());
  const [store, outside] = [join(folder, '.plans'), join(folder, 'outside')];
  mkdirSync(join(store, 'a', 'b'), { recursive: true });
  mkdirSync(join(outside, 'b'), { recursive: true });
  writeFileSync(join(store, 'own'), 'own');
  writeFileSync(join(outside, 'b', 'secret'), 'secret');
  return { folder, store, outside };
}

/** Everything below a folder with its content, to see that nothing was changed. */
function contents(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const path = join(folder, name);
      return lstatSync(path).isFile() ? `${name}: ${readFileSync(path, 'utf8')}` : name;
    })
    .toSorted();
}

describe('a link in place of a folder below a store', () => {
  const WORK: Readonly<Record<string, (path: string, own: string) => Promise<unknown>>> = {
    reading: (path) => readPlainBytes(path),
    'reading at once': async (path) => readPlainBytesNow(path),
    'looking at it': (path) => fileIdentity(path),
    'opening to append': async (path) => openToAppend(path),
    replacing: (path) => replaceFile(path, 'x'),
    making: (path) => createFile(join(path, '..', 'new'), 'x'),
    'making a folder': (path) => makeFolder(join(path, '..', 'new')),
    'making folders': (path) => makeFolder(join(path, '..', 'new', 'newer')),
    'moving in': (path, own) => moveFile(own, join(path, '..', 'new')),
    'moving out': (path, own) => moveFile(path, `${own}.2`),
    removing: (path) => deleteFile(path),
    'copying in': (path, own) => copyPlainFile(own, join(path, '..', 'new')),
    'copying out': (path, own) => copyPlainFile(path, `${own}.2`),
    'keeping a copy in': (path, own) => copyToFolder(own, join(path, '..')),
    'keeping a copy of': (path, own) => copyToFolder(path, join(own, '..', 'a')),
    'listing names': (path) => fileNames(join(path, '..')),
    'reading all files': (path) => readStoredFolder(join(path, '..'), '', 100),
  };

  test.each(Object.entries(WORK))('stops %s, whichever component it is', async (_name, work) => {
    for (const link of ['a', 'a/b']) {
      const { store, outside } = place();
      rmSync(join(store, link), { recursive: true });
      symlinkSync(link === 'a' ? outside : join(outside, 'b'), join(store, link));
      const before = contents(outside);
      await expect(work(join(store, 'a', 'b', 'secret'), join(store, 'own'))).rejects.toMatchObject({
        code: 'STORAGE_FAILED',
        message: expect.stringContaining(`${join(store, link)}: it is a symbolic link`) as string,
      });
      expect(contents(outside)).toEqual(before);
      expect(readFileSync(join(store, 'own'), 'utf8')).toBe('own');
      expect(readdirSync(store).toSorted()).toEqual(['a', 'own']);
    }
  });

  test('and a link above the store does as well, since the path of a store has none', async () => {
    const { folder, store } = place();
    symlinkSync(folder, join(folder, 'again'));
    expect(realFolder(join(folder, 'again', '.plans', 'not', 'there'))).toBe(join(store, 'not', 'there'));
    await expect(readPlainBytes(join(folder, 'again', '.plans', 'own'))).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
    });
  });

  test('is also found by looking at every component, as on systems that do not tell where an open folder is', () => {
    const { store, outside } = place();
    const real = statSync(join(store, 'a'));
    expect(() => checkComponents(join(store, 'a'), real)).not.toThrow();
    expect(() => checkComponents(join(store, 'a', 'b'), real)).toThrow('was replaced while it was used');
    renameSync(join(store, 'a'), join(store, 'c'));
    symlinkSync(outside, join(store, 'a'));
    expect(() => checkComponents(join(store, 'a', 'b'), null)).toThrow(
      `${join(store, 'a')}: it is a symbolic`,
    );
  });
});

test('a link in place of a file is neither written through nor replaced', async () => {
  const { store, outside } = place();
  const [link, target] = [join(store, 'link'), join(outside, 'b', 'secret')];
  symlinkSync(target, link);
  await expect(replaceFile(link, 'x')).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  await expect(createFile(link, 'x')).resolves.toBe(false);
  await expect(copyPlainFile(link, join(store, 'copy'))).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  await expect(copyToFolder(link, join(store, 'a'))).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  expect(readFileSync(target, 'utf8')).toBe('secret');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  await expect(deleteFile(link)).resolves.toBe(true);
  expect(readFileSync(target, 'utf8')).toBe('secret');
});

// Elsewhere the open files of a process are not listed.
test.runIf(process.platform === 'linux')('what is not opened to append is not left open', () => {
  const { store, outside } = place();
  const own = join(store, 'own');
  symlinkSync(join(outside, 'b'), join(store, 'linked'));
  symlinkSync(own, join(store, 'link'));
  const openFiles = () => readdirSync('/proc/self/fd').length;
  const before = openFiles();
  for (const [name, reason] of [
    ['linked/secret', 'symbolic link'],
    ['link', 'ELOOP'],
    ['a', 'EISDIR'],
    ['not there', 'ENOENT'],
    ['own/not there', 'ENOTDIR'],
  ] as const)
    expect(() => openToAppend(join(store, name))).toThrow(reason);
  expect(openFiles()).toBe(before);
  const file = openToAppend(own);
  expect(openFiles()).toBe(before + 1);
  closeSync(file);
});

// Elsewhere a name cannot be looked up in an open folder.
test.runIf(process.platform === 'linux')(
  'a folder that becomes a link while it is used is not left',
  async () => {
    const { store, outside } = place();
    await inFolderOf(join(store, 'a', 'b', 'new'), async (at) => {
      renameSync(join(store, 'a'), join(store, 'moved'));
      symlinkSync(outside, join(store, 'a'));
      writeFileSync(at, 'mine');
    });
    expect(existsSync(join(outside, 'b', 'new'))).toBe(false);
    expect(readFileSync(join(store, 'moved', 'b', 'new'), 'utf8')).toBe('mine');
  },
);

test.each(['', '.', '..', 'a/b', '/etc'])('%j is no name of a file in a folder', async (name) => {
  const { store } = place();
  await expect(inFolderOf(join(store, 'x'), async (_at, folder) => folder.at(name))).rejects.toThrow(
    'is not the name of a file',
  );
});

describe('reading is bounded', () => {
  test('by what a file says that it has, and holes cost nothing', async () => {
    const { store } = place();
    truncateSync(join(store, 'own'), HOLES);
    await expect(readPlainBytes(join(store, 'own'))).rejects.toThrow('it has more than');
    expect(() => readPlainBytesNow(join(store, 'own'))).toThrow('it has more than');
    await expect(readTextFile(join(store, 'own'))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('by what is read of a device or of a pipe, which say that they have nothing', async () => {
    const { store } = place();
    await expect(readTextFile('/dev/zero', 1000)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    for (const [path, what] of [
      [join(store, 'pipe'), 'a pipe'],
      [join(store, 'zero'), 'a symbolic link'],
    ] as const) {
      if (what === 'a pipe') spawnSync('mkfifo', [path]);
      else symlinkSync('/dev/zero', path);
      const refusal = what === 'a pipe' ? what : 'ELOOP';
      await expect(fileIdentity(path)).rejects.toThrow(what);
      await expect(readPlainBytes(path)).rejects.toThrow(refusal);
      expect(() => readPlainBytesNow(path)).toThrow(refusal);
    }
  });

  test('of a file that has just the most, all is read; of one with a byte more, none', async () => {
    const { store } = place();
    await expect(readPlainBytes(join(store, 'own'), 3)).resolves.toEqual(Buffer.from('own'));
    expect(readPlainBytesNow(join(store, 'own'), 3)).toEqual(Buffer.from('own'));
    await expect(readTextFile(join(store, 'own'), 3)).resolves.toBe('own');
    appendFileSync(join(store, 'own'), '!');
    await expect(readPlainBytes(join(store, 'own'), 3)).rejects.toThrow('more than 3 bytes');
    expect(() => readPlainBytesNow(join(store, 'own'), 3)).toThrow('more than 3 bytes');
    await expect(readTextFile(join(store, 'own'), 3)).rejects.toThrow('more than 3 bytes');
  });

  test('a pipe that the user names is read to its end', async () => {
    const { folder } = place();
    const pipe = join(folder, 'pipe');
    spawnSync('mkfifo', [pipe]);
    spawnSync('sh', ['-c', `(printf 'text of a process' > '${pipe}' &)`], { stdio: 'ignore' });
    await expect(readTextFile(pipe)).resolves.toBe('text of a process');
  });
});

describe('a store that is found', () => {
  test.each(['a folder outside', 'a folder inside', 'nothing', 'itself'])(
    'is not one that is a link to %s',
    (kind) => {
      const { folder, outside } = place();
      const project = join(folder, 'project');
      mkdirSync(join(project, 'inside', 'below'), { recursive: true });
      const targets: Readonly<Record<string, string>> = {
        'a folder outside': outside,
        'a folder inside': 'inside',
        nothing: 'nothing',
        itself: '.plans',
      };
      symlinkSync(targets[kind] ?? '', join(project, '.plans'));
      for (const start of [project, join(project, 'inside', 'below')])
        expect(() => findStore(start)).toThrow('it is a symbolic link');
    },
  );
});
