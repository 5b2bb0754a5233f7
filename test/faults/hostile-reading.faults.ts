import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { temporaryFolder } from '../support/folders.js';
import { complete, expand, id, newWorkplace, PLAN } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';
import { scale } from './support/scale.js';

const HEAP_MB = 256;
/** Nothing that is read here takes long; whatever hangs is ended then, and found. */
const KILL_AFTER_MS = scale(10 * 60_000, 60_000);
const SPARSE_BYTES = scale(10 * 1024 ** 3, 300 * 1024 ** 2);
const ACTION = 'ap-hostile1';

const KINDS = [
  'a link to /dev/zero',
  'a link into /proc',
  'a pipe',
  'a socket',
  'a sparse file',
  'a folder',
] as const;
type Kind = (typeof KINDS)[number];

/** Files of a store beside those of its plan, and folders in it that files are in. */
const BESIDE = [
  'index.json',
  'config.json',
  '.replica',
  '.gitignore',
  '.gitattributes',
  `actions/${ACTION}.json`,
  'prompts/decompose.md',
  'methods/own.yaml',
  'strange.txt',
  'ffffffff.json',
  'eeeeeeee.events.jsonl',
  `journal/${PLAN}/checked.json`,
  `journal/${PLAN}/taken.jsonl`,
  `journal/${PLAN}/12345.jsonl`,
  'journal/dddddddd/12345.jsonl',
  'archive/cccccccc.json',
  'archive/cccccccc.events.jsonl',
];
const FOLDERS = ['journal', 'archive', 'actions', 'backup', 'prompts', 'methods'];

const PLACES: Readonly<Record<string, readonly string[]>> = {
  'the plan file': [`${PLAN}.json`],
  'the log': [`${PLAN}.events.jsonl`],
  'every file beside them': BESIDE,
  'every folder': FOLDERS,
  'the folder of its journal': [`journal/${PLAN}`],
};

const READING: readonly (readonly string[])[] = [
  ['list'],
  ['list', '--archived'],
  ['status', PLAN],
  ['validate', PLAN],
  ['show', 'a', '--plan', PLAN],
  ['next', PLAN],
  ['log', PLAN],
  ['export', PLAN],
  ['doctor'],
  ['context', id('a')],
  ['tree', PLAN],
];

const pause = (place: Workplace) => place.change(complete('b'));

async function workplace(): Promise<Workplace> {
  const place = await newWorkplace();
  await place.change(expand('root', ['a', 'b']), {
    type: 'action_plan_linked',
    goal: id('a'),
    action_plan: ACTION,
  });
  await pause(place);
  await place.run(['list']);
  return place;
}

/** Puts something that is not a plain file in place of one. */
async function put(kind: Kind, path: string): Promise<void> {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  if (kind === 'a link to /dev/zero') symlinkSync('/dev/zero', path);
  else if (kind === 'a link into /proc') symlinkSync('/proc/self/mem', path);
  else if (kind === 'a pipe') spawnSync('mkfifo', [path]);
  else if (kind === 'a folder') mkdirSync(path);
  else if (kind === 'a socket') await listenAt(path);
  else {
    writeFileSync(path, '');
    truncateSync(path, SPARSE_BYTES);
  }
}

/** The path of a socket is short; it is made elsewhere and moved to its place. */
async function listenAt(path: string): Promise<void> {
  const server = createServer();
  const here = process.cwd();
  process.chdir(dirname(path));
  await new Promise<void>((done) => server.listen('.socket', done));
  spawnSync('mv', ['.socket', path]);
  process.chdir(here);
  onTestFinished(() => void server.close());
}

interface End {
  readonly args: readonly string[];
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error: string;
}

/** Runs the command within bounds of memory and time. */
async function read({ folder, home }: Workplace, args: readonly string[]): Promise<End> {
  const node = [`--max-old-space-size=${HEAP_MB}`, resolve('dist/cli/plan.js'), ...args];
  const child = spawn(process.execPath, node, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: home },
    timeout: KILL_AFTER_MS,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let error = '';
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString().slice(0, 10_000)));
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done) => {
    child.on('close', (code, by) => done([code, by]));
  });
  return { args, status, signal, error };
}

function expectClear(end: End): void {
  const isClear =
    end.signal === null &&
    [0, 1, 2, 3, 7].includes(end.status ?? -1) &&
    !/went wrong|^\s+at |heap|RangeError|TypeError/m.test(end.error);
  expect({ ...end, isClear }).toEqual({ ...end, isClear: true });
  if (end.status === 7) expect(end.error).toMatch(/\/\S+/);
}

/** In small, each kind meets a few commands, others each time. */
const chosen = (commands: readonly (readonly string[])[], kind: Kind, place: string) =>
  scale(
    commands,
    commands.filter((_, index) => (index + kind.length + place.length) % 5 === 0),
  );

describe.skipIf(process.platform === 'win32')('commands that only read', () => {
  const cases = Object.entries(PLACES).flatMap(([place, names]) =>
    KINDS.filter((kind) => kind !== 'a folder' || !names.every((name) => FOLDERS.includes(name))).map(
      (kind) => ({ place, names, kind }),
    ),
  );

  test.each(cases.filter((_, index) => index % scale(1, 5) === 0))(
    '$kind in place of $place',
    async ({ place, names, kind }) => {
      const user = await workplace();
      for (const name of names) await put(kind, join(user.store, name));
      const before = new Set(readdirSync(user.store));
      for (const args of chosen(READING, kind, place)) expectClear(await read(user, args));
      // What is beside a plan hides no plan.
      if (place === 'every file beside them')
        expect((await user.run(['show', id('a'), '--json'])).json()).toMatchObject({ goal: { id: id('a') } });
      const made = readdirSync(user.store).filter((name) => !before.has(name));
      expect(made.filter((name) => name !== 'index.json')).toEqual([]);
    },
  );

  test.each(scale<readonly Kind[]>(KINDS, ['a link to /dev/zero', 'a folder']))(
    '%s that is named as a file to read',
    async (kind) => {
      const user = await workplace();
      const path = join(temporaryFolder(), 'named.json');
      // Whoever names a pipe waits for it.
      if (kind === 'a pipe') return;
      await put(kind, path);
      const commands = [
        ['import', path],
        ['lint', path],
        ['validate', path],
        ['hash', path],
        ['diff', path, PLAN],
        ['lint', path, '--policy', path],
      ];
      for (const args of commands.slice(0, scale(commands.length, 2))) expectClear(await read(user, args));
      expect(existsSync(path)).toBe(true);
    },
  );
});
