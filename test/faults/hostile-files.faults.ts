import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { exitStatus } from '../../src/kernel/errors.js';
import type { ErrorCode } from '../../src/kernel/errors.js';
import { stringifyPlanFile, toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import type { PlanFile } from '../../src/plan/schema.js';
import { encodeEvent } from '../../src/storage/log/event-line.js';
import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';
import { examplePlan, PLAN_ID, treePlan } from '../support/plans.js';
import { newFileStore } from '../support/stores.js';
import { scale } from './support/scale.js';

const MEGABYTES = scale(100, 5);
const HEAP_MB = scale(2048, 512);
const KILL_AFTER_MS = 10 * 60_000;
const COMMANDS = scale(
  [['list'], ['status', PLAN_ID], ['validate', PLAN_ID], ['show', 'root', '--plan', PLAN_ID]],
  [['list'], ['status', PLAN_ID]],
);
const CLEAR = [0, 1, 2, 3, 7];

/** A store without a log beside a file of it, in a folder with a file that is none of its business. */
async function prepareFiles(content: string | Buffer) {
  const outside = temporaryFolder();
  const folder = join(outside, '.plans');
  const store = await newFileStore(folder);
  const planFile = join(folder, `${PLAN_ID}.json`);
  writeFileSync(planFile, content);
  writeFileSync(join(outside, 'precious'), 'precious');
  return { outside, folder, store, planFile, eventLog: join(folder, `${PLAN_ID}.events.jsonl`) };
}

interface End {
  readonly args: readonly string[];
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error: string;
}

/** Runs the command to its end. */
type Run = (folder: string, ...args: readonly string[]) => Promise<End>;

/** In this process, for what is too small to need bounds of memory and time. */
async function here(folder: string, ...args: readonly string[]): Promise<End> {
  const { status, signal, error } = await newUser().run([...args, '--dir', folder]);
  return { args, status, signal, error };
}

/** Within bounds of memory and time. */
async function bounded(folder: string, ...args: readonly string[]): Promise<End> {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, resolve('dist/cli/plan.js'), ...args, '--dir', folder],
    {
      env: { PATH: process.env.PATH ?? '', HOME: temporaryFolder() },
      timeout: KILL_AFTER_MS,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let error = '';
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done) => {
    child.on('close', (code, by) => done([code, by]));
  });
  return { args, status, signal, error };
}

/** Every command that reads a plan ends by itself and clearly; no stack trace, nothing outside is touched. */
async function expectClear(
  folder: string,
  statuses: readonly number[] = CLEAR,
  run: Run = scale<Run>(bounded, here),
): Promise<void> {
  const outside = join(folder, '..');
  const before = readdirSync(outside);
  for (const args of COMMANDS) {
    const end = await run(folder, ...args);
    expect({ ...end, isClear: statuses.includes(end.status ?? -1) || args[0] === 'list' }).toMatchObject({
      signal: null,
      isClear: true,
    });
    expect(CLEAR).toContain(end.status);
    expect(end.error).not.toMatch(/^\s+at |RangeError|TypeError|heap/m);
  }
  expect(readdirSync(outside)).toEqual(before);
  expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('precious');
}

const exampleFile = () => toPlanFile(examplePlan());
const exampleText = () => stringifyPlanFile(exampleFile());
const withGoal = (id: string, text = exampleText()) =>
  text.replace(
    '"goals": {',
    `"goals": { ${JSON.stringify(id)}: ${JSON.stringify({ ...exampleFile().goals[`${PLAN_ID}-root`], id })},`,
  );

describe('a plan file that means harm', () => {
  test.each<[string, () => string | Buffer]>([
    ['a goal id __proto__', () => withGoal('__proto__')],
    ['a goal id constructor', () => withGoal('constructor')],
    ['a goal id with ../', () => withGoal(`${PLAN_ID}-../../precious`)],
    ['a plan id with ../', () => exampleText().replaceAll(PLAN_ID, '../../precious')],
    ['the id of another plan', () => exampleText().replaceAll(PLAN_ID, 'ffffffff')],
    ['parents in a circle', () => cyclic()],
    [
      'invalid UTF-8',
      () =>
        Buffer.concat([
          Buffer.from(exampleText().slice(0, 60)),
          Buffer.from([0xff, 0xfe, 0xc0]),
          Buffer.from(exampleText().slice(60)),
        ]),
    ],
    ['UTF-16', () => Buffer.from(`\uFEFF${exampleText()}`, 'utf16le')],
    ['NUL bytes only', () => Buffer.alloc(5000)],
    [
      'numbers beyond 2^53',
      () => exampleText().replace(/"total_tokens": \d+/, '"total_tokens": 9007199254740993'),
    ],
    ['numbers without end', () => exampleText().replace(/"total_tokens": \d+/, '"total_tokens": 1e999')],
    ['nothing but brackets', () => '['.repeat(MEGABYTES * 100_000)],
  ])('%s: a clear error or a safe result', async (name, content) => {
    const { folder } = await prepareFiles(content());
    await expectClear(folder, CLEAR, name === 'nothing but brackets' ? bounded : undefined);
    expect(Object.prototype).not.toHaveProperty('status');
  });

  test('a byte order mark and a key that comes twice are read as JSON readers do', async () => {
    const twice = exampleText().replace('"status":', '"status": "failed", "status":');
    const { store, planFile } = await prepareFiles(`\uFEFF${exampleText()}`);
    expect(toPlanFile((await store.open(PLAN_ID)).plan)).toEqual(exampleFile());
    writeFileSync(planFile, twice);
    expect(toPlanFile((await store.open(PLAN_ID)).plan)).toEqual(exampleFile());
  });

  test(`a plan of ${MEGABYTES} MB`, async () => {
    const filler = 'long '.repeat((MEGABYTES * 1_000_000) / 5 / 2000);
    const { folder } = await prepareFiles(
      stringifyPlanFile(
        toPlanFile(
          treePlan(
            Array.from({ length: 1000 }, () => filler),
            10,
          ),
        ),
      ),
    );
    await expectClear(folder, [0], bounded);
  });

  test('a tree of 10,000 levels', async () => {
    const { folder } = await prepareFiles(
      stringifyPlanFile(
        toPlanFile(
          treePlan(
            Array.from({ length: 10_000 }, () => 'Deeper'),
            1,
          ),
        ),
      ),
    );
    await expectClear(folder, [0], bounded);
    for (const args of [
      ['tree', PLAN_ID],
      ['export', PLAN_ID, '--format', 'json'],
    ])
      expect(await bounded(folder, ...args)).toMatchObject({ status: 0, signal: null });
  });

  test('an unknown field that is nested 100,000 deep', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { folder } = await prepareFiles(exampleText().replace('{', `{ "deep": ${deep},`));
    await expectClear(folder, CLEAR, bounded);
    expect(await bounded(folder, 'status', PLAN_ID)).toMatchObject({
      status: exitStatus('STORE_DAMAGED'),
      error: expect.stringContaining('levels') as string,
    });
  });

  function cyclic(): string {
    const file: PlanFile = exampleFile();
    const [root, first, second] = Object.values(file.goals);
    if (root === undefined || first === undefined || second === undefined) throw new TypeError('too small');
    return JSON.stringify({
      ...file,
      goals: {
        [root.id]: { ...root, child_ids: [] },
        [first.id]: { ...first, parent_id: second.id, child_ids: [second.id] },
        [second.id]: { ...second, parent_id: first.id, child_ids: [first.id] },
      },
    });
  }
});

describe('a log that means harm', () => {
  test(`a single line of ${MEGABYTES} MB, and one without an end`, async () => {
    const filler = 'long '.repeat((MEGABYTES * 1_000_000) / 5 / 2000);
    const file = toPlanFile(
      treePlan(
        Array.from({ length: 1000 }, () => filler),
        10,
      ),
    );
    const { folder, store, eventLog } = await prepareFiles(stringifyPlanFile(file));
    const log = await store.open(PLAN_ID);
    const [outcome] = await log.append([{ type: 'goal_completed', goal: `${PLAN_ID}-g999` }]);
    expect(outcome?.refused).toBeNull();
    await log.publish('now');
    await expectClear(folder, [0], bounded);
    writeFileSync(eventLog, `{"id":"${filler}`, { flag: 'a' });
    await expectClear(folder, [0], bounded);
  });

  test('replicas and clocks that no honest writer has', async () => {
    const { folder, store, eventLog, planFile } = await prepareFiles('');
    rmSync(planFile);
    const stamp = { at: '2026-01-01T00:00:00Z', by: '../../x' };
    const creation = {
      ...stamp,
      id: '__proto__',
      replica: 'constructor',
      clock: Number.MAX_SAFE_INTEGER,
      type: 'plan_imported' as const,
      plan: exampleFile(),
    };
    writeFileSync(eventLog, encodeEvent(creation));
    const log = await store.open(PLAN_ID);
    const [outcome] = await log.append([{ type: 'goal_completed', goal: `${PLAN_ID}-g2` }]);
    expect(outcome?.refused).toBeNull();
    await log.publish('now');
    expect((await (await newFileStore(folder)).open(PLAN_ID)).plan.counts.complete).toBe(2);
    await expectClear(folder, [0]);
  });
});

describe('something else in place of a file', () => {
  const KINDS = ['a link to a file outside', 'a link to nowhere', 'a folder', 'a pipe'] as const;
  const put = (kind: (typeof KINDS)[number], path: string, outside: string) => {
    rmSync(path, { force: true });
    if (kind === 'a folder') mkdirSync(path);
    else if (kind === 'a pipe') spawnSync('mkfifo', [path]);
    else symlinkSync(join(outside, kind === 'a link to nowhere' ? 'nowhere' : 'target'), path);
  };

  /** Who waits for a pipe may hold its whole process. */
  const runFor = (kind: (typeof KINDS)[number]) => (kind === 'a pipe' ? bounded : undefined);

  test.each(KINDS)('%s in place of a plan file or a log', async (kind) => {
    for (const name of ['planFile', 'eventLog'] as const) {
      const { outside, folder, store, planFile, eventLog } = await prepareFiles(exampleText());
      const log = await store.open(PLAN_ID);
      await log.append([{ type: 'goal_completed', goal: `${PLAN_ID}-g2` }]);
      await log.publish('now');
      const path = name === 'planFile' ? planFile : eventLog;
      const target = join(outside, 'target');
      renameSync(path, target);
      const content = readFileSync(target, 'utf8');
      put(kind, path, outside);
      await expectClear(folder, [exitStatus('STORAGE_FAILED')], runFor(kind));
      const change = store
        .open(PLAN_ID)
        .then((opened) => opened.append([{ type: 'plan_paused', because: 'user' }]));
      await expect(change).rejects.toMatchObject({
        code: 'STORAGE_FAILED' satisfies ErrorCode,
        message: expect.stringContaining(path) as string,
      });
      if (name === 'eventLog')
        await expect(log.append([{ type: 'plan_paused', because: 'user' }])).rejects.toMatchObject({
          code: 'STORAGE_FAILED',
        });
      expect(readFileSync(target, 'utf8')).toBe(content);
      expect(existsSync(join(outside, 'nowhere'))).toBe(false);
    }
  });

  test.each(KINDS)('%s in place of the index or of the id of the copy', async (kind) => {
    for (const name of ['index.json', '.replica']) {
      const { outside, folder, store } = await prepareFiles(exampleText());
      writeFileSync(join(outside, 'target'), 'outside');
      put(kind, join(folder, name), outside);
      await expectClear(folder, [0], runFor(kind));
      const log = await store.open(PLAN_ID);
      const change = log
        .append([{ type: 'goal_completed', goal: `${PLAN_ID}-g2` }])
        .then(() => log.publish('now'));
      // The index is a cache, and no change fails for it.
      if (name === 'index.json') await expect(change).resolves.toBe(true);
      else await expect(change).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
      expect(readFileSync(join(outside, 'target'), 'utf8')).toBe('outside');
      expect(existsSync(join(outside, 'nowhere'))).toBe(false);
    }
  });

  test('an archive that is a link to a folder outside', async () => {
    const { outside, folder, store, planFile } = await prepareFiles(exampleText());
    await (await store.open(PLAN_ID)).append([{ type: 'goal_completed', goal: `${PLAN_ID}-g2` }]);
    mkdirSync(join(outside, 'elsewhere'));
    const theirs = join(outside, 'elsewhere', 'a.json.1-1.tmp');
    writeFileSync(theirs, 'theirs');
    utimesSync(theirs, 0, 0);
    symlinkSync(join(outside, 'elsewhere'), join(folder, 'archive'));
    const problems = [{ file: join(folder, 'archive'), code: 'STORAGE_FAILED' }];
    expect(await store.list()).toMatchObject({ plans: [{ id: PLAN_ID }], problems });
    expect(await store.list('archived')).toMatchObject({ plans: [], problems });
    await (await store.open(PLAN_ID)).append([{ type: 'plan_archived' }]);
    expect(await store.list('archived')).toMatchObject({ plans: [{ id: PLAN_ID }], problems });
    await expect(store.purge(PLAN_ID)).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    await expect(store.open('ffffffff')).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    expect(readdirSync(join(outside, 'elsewhere'))).toEqual(['a.json.1-1.tmp']);
    expect(existsSync(planFile)).toBe(true);
  });
});
