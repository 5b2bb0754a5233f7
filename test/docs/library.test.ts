import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';

const REPOSITORY = resolve(import.meta.dirname, '../..');
let folder = '';

beforeAll(async () => {
  if (!existsSync(join(REPOSITORY, 'dist/index.js')))
    throw new Error('there is no dist/: run `npm run build`');
  folder = await mkdtemp(join(tmpdir(), 'frctl-library-'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(REPOSITORY, join(folder, 'node_modules/frctl'), 'dir');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the examples of the library', () => {
  test('docs/library.md prints what the page says', async () => {
    const page = await readFile(join(REPOSITORY, 'docs/library.md'), 'utf8');
    const [example = '', printed = ''] =
      /```js\n([\s\S]*?)```\n\nprints\n\n```\n([\s\S]*?)```/.exec(page)?.slice(1) ?? [];
    expect(example).not.toBe('');
    expect(await run('library.mjs', example)).toEqual({ status: 0, out: printed, error: '' });
  });

  test('docs/library.md names every function', async () => {
    const page = await readFile(join(REPOSITORY, 'docs/library.md'), 'utf8');
    const [, list = ''] =
      /Its functions are the commands:\s([\s\S]*?)\.\n\nPlans and goals are/.exec(page) ?? [];
    const named = Array.from(list.matchAll(/`([\w.]+)`/g), ([, name = '']) => name);
    const there = Object.entries(openWorkspace({ store: 'memory' })).flatMap(([name, member]) =>
      typeof member === 'function' ? [name] : Object.keys(member).map((second) => `${name}.${second}`),
    );
    const others = new Set(['prepareRun', 'approveRun', 'close']);
    expect(page).toContain('`await workspace.close()`');
    expect(named.filter((name) => !others.has(name)).toSorted()).toEqual(
      there.filter((name) => !others.has(name)).toSorted(),
    );
  });
});

/** Runs a program beside a `node_modules` that holds this package, without any variable of this process but PATH. */
async function run(
  name: string,
  source: string,
): Promise<{ status: number | null; out: string; error: string }> {
  await writeFile(join(folder, name), source);
  const child = spawn(process.execPath, [name], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
  });
  let out = '';
  let error = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (error += text));
  const status = await new Promise<number | null>((done) => child.on('close', done));
  return { status, out, error };
}
