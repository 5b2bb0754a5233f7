import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';

import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { sharedFolder, temporaryFolder } from '../support/folders.js';

const SHARED = sharedFolder();
const PRELOAD = join(SHARED, 'what-is-compiled.cjs');
const COMPILED = join('compiled', `${process.version}-${process.platform}-${process.arch}`);
const reportSchema = z.array(z.object({ file: z.string(), refused: z.boolean() }));

beforeAll(() => {
  writeFileSync(
    PRELOAD,
    `const vm = require('node:vm');
    const made = [];
    vm.Script = class extends vm.Script {
      constructor(source, options) {
        super(source, options);
        made.push({ file: require('node:path').basename(options.filename), refused: this.cachedDataRejected });
      }
    };
    process.on('exit', () => process.stderr.write(JSON.stringify(made)));`,
  );
});

/** The built commands in a folder of their own, to be damaged. */
function copyOfCommands(): string {
  const copy = join(temporaryFolder(), 'cli');
  cpSync(resolve('dist/cli'), copy, { recursive: true });
  return copy;
}

/** What a command prints, and which of its files ran as they had been compiled. */
function run(
  commands: string,
  flags: readonly string[] = [],
  words: readonly string[] = ['list', '--dir', '.', '--json'],
) {
  const errors = join(temporaryFolder(), 'errors');
  const out = execFileSync(
    'sh',
    [
      '-c',
      `"$@" 2>"$0"`,
      errors,
      process.execPath,
      ...flags,
      '--require',
      PRELOAD,
      join(commands, 'plan.js'),
      ...words,
    ],
    { cwd: temporaryFolder(), encoding: 'utf8', env: { PATH: process.env.PATH, HOME: SHARED } },
  );
  const said = readFileSync(errors, 'utf8').split('\n');
  const scripts = reportSchema.parse(JSON.parse(said.at(-1) ?? ''));
  const taken = scripts.filter(({ refused }) => !refused).map(({ file }) => nameOf(file));
  return { out, said, taken, refused: scripts.length - taken.length };
}

function nameOf(file: string): string {
  return basename(file).replace(/-[\w-]{8}\.js(?:\.bin)?$/, '');
}

function fileOf(folder: string, name: string): string {
  const found = readdirSync(folder).find((file) => nameOf(file) === name);
  if (found === undefined) throw new TypeError(`there is no ${name} in ${folder}`);
  return join(folder, found);
}

describe('the files of the commands', () => {
  test('run as V8 compiled them when they were built', () => {
    const { taken, refused } = run(resolve('dist/cli'));
    expect(taken).toContain('quick');
    expect(refused).toBe(0);
  });

  test('import what they need when they need it', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'config.json'), '{"store": "postgres"}');
    const words = [resolve('dist/cli/plan.js'), 'list', '--dir', folder, '--json'];
    // There is no such machine; that is found out after the driver was loaded.
    const FRCTL_DATABASE_URL = 'postgres://me@nobody.invalid/a';
    const { status, stdout } = spawnSync(process.execPath, words, {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: SHARED, FRCTL_DATABASE_URL },
    });
    expect([status, stdout]).toEqual([7, expect.stringContaining('STORAGE_FAILED')]);
  });

  test('are compiled anew where V8 has other settings', () => {
    const { out, taken, refused } = run(resolve('dist/cli'), ['--no-lazy']);
    expect(JSON.parse(out)).toMatchObject({ plans: [] });
    expect(taken).toEqual([]);
    expect(refused).toBeGreaterThan(0);
  });

  test.each([
    ['a byte of it is another', (bytes: Buffer) => bytes.fill(bytes[5000] === 0 ? 1 : 0, 5000, 5001)],
    ['it is cut off', (bytes: Buffer) => bytes.subarray(0, 5000)],
    ['it is empty', () => Buffer.of()],
  ])('are compiled anew where of what was compiled %s', (_, damaged) => {
    const commands = copyOfCommands();
    const compiled = fileOf(join(commands, COMPILED), 'quick');
    writeFileSync(compiled, damaged(readFileSync(compiled)));
    const { out, taken } = run(commands);
    expect(JSON.parse(out)).toMatchObject({ plans: [] });
    expect(taken).not.toContain('quick');
  });

  test('run as they are, where one was changed by hand and is as long as before', () => {
    const commands = copyOfCommands();
    const file = fileOf(commands, 'quick');
    const source = readFileSync(file, 'utf8');
    expect(source).toContain('No plans yet');
    writeFileSync(file, source.replaceAll('No plans yet', 'NO PLANS YET'));
    expect(run(commands, [], ['list', '--dir', '.']).said[0]).toContain('NO PLANS YET');
  });

  test('run without anything compiled', () => {
    const commands = copyOfCommands();
    for (const file of readdirSync(join(commands, COMPILED))) truncateSync(join(commands, COMPILED, file));
    expect(run(commands)).toMatchObject({ taken: [], refused: 0 });
  });

  test('import modules by a file that is not compiled, since they themselves cannot', () => {
    const compiled = readdirSync(join(resolve('dist/cli'), COMPILED)).map((name) =>
      name.replace(/\.bin$/, ''),
    );
    const importing = compiled.filter((name) =>
      /\bimport\(["'`]/.test(readFileSync(resolve('dist/cli', name), 'utf8')),
    );
    expect([compiled.length > 20, importing]).toEqual([true, []]);
    const folder = temporaryFolder();
    const words = ['init', 'Write the menu', '--dir', folder, '--expander', 'rules'];
    run(resolve('dist/cli'), [], words);
    // The tokenizer is imported by what was compiled.
    const context = run(resolve('dist/cli'), [], ['context', 'root', '--dir', folder, '--json']);
    expect(context.taken).toContain('quick');
    expect(JSON.parse(context.out)).toMatchObject({ tokens: expect.any(Number) as number });
  });

  test('name no folder of whoever built them', () => {
    const folder = resolve('dist/cli', COMPILED);
    const naming = readdirSync(folder).filter((name) =>
      readFileSync(join(folder, name)).includes(process.cwd()),
    );
    expect(naming).toEqual([]);
    const { stderr } = spawnSync(
      process.execPath,
      [resolve('dist/cli/plan.js'), 'show', '99', '--debug', '--dir', temporaryFolder()],
      { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: SHARED } },
    );
    expect(stderr).toMatch(/ at .*\(frctl\/quick-[\w-]+\.js:\d+:\d+\)/);
  });
});
