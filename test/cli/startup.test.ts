import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';

import { COMMANDS } from '../../src/bin/commands.js';
import { loadedCommandLine } from '../../src/cli/load-command.js';
import { isPlain } from '../../src/cli/input/plain-input.js';
import type { Operation } from '../../src/operations/operation.js';
import { newUser } from '../support/command.js';
import { sharedFolder } from '../support/folders.js';
import { newFileStore } from '../support/stores.js';

const FOLDER = sharedFolder();
const PRELOAD = join(FOLDER, 'what-is-loaded.cjs');
const ROOT = '0398a958-root';
const LEAVES = ['0398a958-000001', '0398a958-000002'];

beforeAll(async () => {
  writeFileSync(
    PRELOAD,
    `let turns = 0;
    require('async_hooks').createHook({ init(_id, type) { if (type.startsWith('FSREQ')) turns += 1; } }).enable();
    process.on('exit', () => process.stderr.write(JSON.stringify({
      turns,
      files: Object.keys(require.cache).filter((file) => file !== __filename).map((file) => require('path').basename(file)),
      builtin: process.moduleLoadList.filter((name) => name.startsWith('NativeModule ')).map((name) => name.slice(13)),
    }) + '\\n'));`,
  );
  await planOfTwoLeaves(join(FOLDER, '.plans'));
});

async function planOfTwoLeaves(folder: string): Promise<void> {
  const store = await newFileStore(folder);
  const log = await store.create(
    { type: 'plan_created', plan: { id: '0398a958', description: 'Move' }, root: { description: 'Move' } },
    [
      {
        type: 'goal_expanded',
        goal: ROOT,
        atomic: false,
        reasoning: 'parts',
        sub_goals: LEAVES.map((id) => ({
          id,
          description: 'Pack',
          atomic: true,
          reasoning: 'small',
          dependencies: [],
        })),
      },
    ],
  );
  await log.publish('now');
  await store.list();
}

/**
 * The files of the bundle that a command loads, without their hashes, the modules of Node that start-up could do without,
 * and how often it waits for the thread pool to look at a file.
 */
async function loadedBy(...args: readonly string[]) {
  const { status, error } = await newUser(FOLDER).run(args, { NODE_OPTIONS: `--require ${PRELOAD}` });
  expect(status).toBe(0);
  const { turns, files, builtin } = JSON.parse(error.trim().split('\n').at(-1) ?? '') as {
    readonly turns: number;
    readonly files: readonly string[];
    readonly builtin: readonly string[];
  };
  return {
    turns,
    files: files.map((file) => file.replace(/-[\w-]{8}\.js$/, '.js')).toSorted(),
    builtin: builtin.filter((name) => ['crypto', 'child_process', 'http', 'https'].includes(name)),
  };
}

test('the version alone loads nothing that it could do without', async () => {
  const { files, builtin } = await loadedBy('--version');
  expect(files).toEqual(['plan.js', 'start.js']);
  expect(builtin).toEqual([]);
  const user = newUser(FOLDER);
  const [alone, among] = await Promise.all([user.run(['-V']), user.run(['--version', '--no-color'])]);
  expect(alone.out).toBe(among.out);
});

test.each([
  [['list'], ['quick']],
  [['status'], ['look', 'quick']],
  [
    ['next', '--json'],
    ['look', 'quick'],
  ],
  [
    ['show', '1'],
    ['look', 'quick'],
  ],
])('plan %j loads neither zod nor what changes plans, and waits for no thread', async (args, chunks) => {
  const { turns, files, builtin } = await loadedBy(...args);
  const needed = ['plan.js', 'rolldown-runtime.js', 'start.js', ...chunks.map((name) => `${name}.js`)];
  expect(files).toEqual(needed.toSorted());
  expect(builtin).toEqual([]);
  expect(turns).toBe(0);
});

test('completing a goal without a result loads nothing of planning, digests or models', async () => {
  const own = join(FOLDER, 'completing', '.plans');
  await planOfTwoLeaves(own);
  const { files } = await loadedBy('complete', '1', '--dir', own);
  const unneeded = /^(digest|planning|run-planning|config|tokens|expander|replan-goal|rules|model)/;
  expect(files.filter((file) => unneeded.test(file))).toEqual([]);
});

test.each([[['claim', '1']], [['edit', '1', '--detail', 'Ask first.']], [['complete', '1']]])(
  'plan %j reads and writes its events without zod, and status reads them so',
  async (args) => {
    const own = join(FOLDER, `without-zod-${args[0]}`, '.plans');
    await planOfTwoLeaves(own);
    for (const command of [args, ['edit', '2', '--detail', 'Ask first.'], ['status']]) {
      const { files, builtin } = await loadedBy(...command, '--dir', own);
      expect(files).not.toContain('zod.js');
      expect(builtin).toEqual([]);
    }
  },
);

test('what is wrong with the input of a quick command is said as zod says it', async () => {
  const { status, error } = await newUser(FOLDER).run(['next', '--limit', '0']);
  expect(status).toBe(2);
  expect(error).toContain('--limit must be more than 0, not 0');
});

test.skipIf(!('enableCompileCache' in nodeModule))(
  'what Node compiles of the commands is kept in the user’s own cache alone (needs Node 22.8)',
  async () => {
    const user = newUser();
    const kept = (folder: string) => existsSync(join(folder, 'frctl')) && readdirSync(join(folder, 'frctl'));
    for (const XDG_CACHE_HOME of ['', 'relative', join(user.home, 'elsewhere')])
      expect((await user.start(['agent-guide'], { XDG_CACHE_HOME }).ended).status).toBe(0);
    expect(kept(join(user.home, '.cache'))).toHaveLength(1);
    expect(kept(join(user.home, 'elsewhere'))).toHaveLength(1);
    expect(readdirSync(user.folder)).toEqual([]);
  },
);

const derived = async (name: string) => {
  const { operations, renderers } = COMMANDS;
  const [operation, renderer] = await Promise.all([operations[name]?.load(), renderers[name]?.()]);
  if (operation === undefined || renderer === undefined) throw new TypeError(`there is no ${name}`);
  return { operation, line: loadedCommandLine(operation, renderer) };
};

test('the command lines in the bundle are those of the operations', async () => {
  const built = JSON.parse(readFileSync('dist/cli/known-lines.json', 'utf8')) as Record<string, unknown>;
  expect(Object.keys(built)).toContain('list');
  for (const [name, line] of Object.entries(built))
    expect(line).toEqual(JSON.parse(JSON.stringify((await derived(name)).line)));
});

describe('plain input', () => {
  const value = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.array(fc.string(), { maxLength: 3 }),
    fc.constantFrom('paused', 'complete', null, undefined, 0, -1, 1.5, NaN, {}, [[]]),
  );
  /** Inputs of some of the members of an operation, and of some that it does not know. */
  const inputOf = ({ input }: Operation) =>
    fc.dictionary(fc.constantFrom(...Object.keys(input.shape), '__proto__', 'constructor', 'other'), value, {
      maxKeys: 4,
    });

  test.each(Object.keys(COMMANDS.operations))(
    'of %s is what its schema accepts and leaves as it is',
    async (name) => {
      const { operation, line } = await derived(name);
      const { plain } = line;
      if (plain === null) return;
      fc.assert(
        fc.property(inputOf(operation), (input) => {
          if (!isPlain(input, plain)) return;
          expect(operation.input.parse(input)).toEqual(input);
        }),
        { numRuns: 50 },
      );
    },
  );
});
