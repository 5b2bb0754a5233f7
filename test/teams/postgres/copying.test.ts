import { appendFileSync, cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { emptyDirSync, outputFileSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';

import { newUser } from '../../support/command.js';
import type { User } from '../../support/command.js';
import { inServer, newDatabase } from '../../support/postgres.js';
import { newPostgresStore } from '../../support/postgres-stores.js';
import { runDiagnoses } from '../../../src/features/runs/operations/runs/runs-of-plan.js';
import { copyRuns } from '../../../src/features/teams/copy/copy-contents.js';
import type { Copied } from '../../../src/features/teams/copy/copy-contents.js';
import { createFileRunStore } from '../../../src/features/runs/storage/file/file-run-store.js';
import { openDatabase } from '../../../src/features/teams/postgres/database.js';
import { runContentsOfFiles } from '../../../src/features/teams/runs/file-run-contents.js';
import { runContentsOfPostgres } from '../../../src/features/teams/runs/postgres-run-contents.js';
import { createPostgresRunStore } from '../../../src/features/teams/runs/postgres-run-store.js';
import { createContext } from '../../../src/operations/shared/context.js';
import { defaultEnvironment } from '../../../src/operations/shared/default-environment.js';
import { partOpener } from '../../../src/operations/shared/parts.js';
import { RUNS } from '../../../src/features/runs/parts.js';
import { temporaryFolder } from '../../support/folders.js';
import { attemptOf, preparedWith, startedWith } from '../../support/runs.js';
import { newStamp } from '../../support/stores.js';

/** A project with a plan in files that was worked on, an archived one, an action plan and a run with an output. */
async function workedProject() {
  const user = newUser();
  const variables = { FRCTL_DATABASE_URL: await newDatabase() };
  const run = async (...args: readonly string[]) => {
    const ended = await user.run(args, variables);
    expect(ended).toMatchObject({ error: expect.not.stringContaining('error:') as string });
    return ended;
  };
  const made = await run('init', 'Build a REST API with authentication', '--json');
  const { id } = made.json().plan as { readonly id: string };
  await run('complete', '1', '--summary', 'zero \u0000 and \uD800 “quotes” \u2028');
  const other = await run('init', 'Write a parser for Markdown', '--json');
  await run('archive', (other.json().plan as { readonly id: string }).id);
  outputFileSync(join(user.folder, '.plans/actions/ap-000001.json'), Buffer.from([0, 255, 10]));
  return { user, run, id, variables };
}

/** Logs and action plans of a project's store. */
function kept({ folder }: User, id: string): readonly Buffer[] {
  return [`${id}.events.jsonl`, 'actions/ap-000001.json'].map((name) =>
    readFileSync(join(folder, '.plans', name)),
  );
}

/** The lines of a log, each once. What makes a plan is in it twice. */
const linesOf = (log: Buffer | undefined) => [
  ...new Set(
    (log ?? '')
      .toString()
      .split('\n')
      .filter((line) => line !== ''),
  ),
];

test('a store goes to PostgreSQL and back, byte for byte', async () => {
  const { user, run, id, variables } = await workedProject();
  const before = kept(user, id);
  const copied = (await run('store', 'copy', '--to', 'postgres', '--json')).json();
  expect(copied.copied).toMatchObject([
    { kind: 'action_plan', outcome: 'copied' },
    { kind: 'plan', outcome: 'copied' },
    { kind: 'plan', outcome: 'copied' },
  ]);
  const rows = await inServer(
    variables.FRCTL_DATABASE_URL,
    `select body::text as line from frctl_event as row where plan = '${id}' order by row.seq`,
  );
  expect(rows.map(({ line }) => line)).toEqual(linesOf(before[0]));
  expect(kept(user, id)).toEqual(before);
  const files = await run('status', id, '--json');
  await run('config', 'set', 'store', 'postgres');
  expect((await run('status', id, '--json')).out).toBe(files.out);
  // Back, into a folder that has nothing yet.
  emptyDirSync(join(user.folder, '.plans'));
  await run('store', 'copy', '--to', 'files');
  expect(kept(user, id)).toEqual(before);
  expect((await run('status', id, '--json')).out).toBe(files.out);
  expect((await run('doctor')).out).toContain('healthy');
});

test('what went on meanwhile is added, both ways, and what was there already is left alone', async () => {
  const { user, run, id } = await workedProject();
  await run('store', 'copy', '--to', 'postgres');
  const again = await run('store', 'copy', '--to', 'postgres', '--json');
  expect((again.json().copied as { outcome: string }[]).map(({ outcome }) => outcome)).toEqual([
    'same',
    'same',
    'same',
  ]);
  await run('complete', '2', '--plan', id);
  await run('store', 'copy', '--to', 'postgres');
  await run('config', 'set', 'store', 'postgres');
  await run('complete', '3', '--plan', id);
  const inDatabase = await run('status', id, '--json');
  await run('store', 'copy', '--to', 'files');
  await run('config', 'set', 'store', 'files');
  expect((await run('status', id, '--json')).out).toBe(inDatabase.out);
  await run('complete', '4', '--plan', id);
  expect((await user.run(['doctor'])).out).toContain('healthy');
});

test('nothing that differs is overwritten', async () => {
  const { user, run, id, variables } = await workedProject();
  await run('store', 'copy', '--to', 'postgres');
  const elsewhere = newUser();
  cpSync(join(user.folder, '.plans'), join(elsewhere.folder, '.plans'), { recursive: true });
  await run('complete', '2', '--plan', id);
  await run('store', 'copy', '--to', 'postgres');
  // The same plan went on otherwise in a copy of the project.
  await elsewhere.run(['complete', '3', '--plan', id]);
  appendFileSync(join(elsewhere.folder, '.plans/actions/ap-000001.json'), 'more');
  const refused = await elsewhere.run(['store', 'copy', '--to', 'postgres', '--json'], variables);
  expect(refused.status).toBe(1);
  expect(refused.json().copied).toMatchObject([
    { kind: 'action_plan', outcome: 'differs' },
    { kind: 'plan' },
    { kind: 'plan' },
  ]);
  expect(refused.out).toContain('"differs"');
  const store = await newPostgresStore(variables.FRCTL_DATABASE_URL);
  expect((await store.open(id, 'log')).plan.counts.complete).toBe(2);
});

test('a log that is not sound is not copied, and the others are', async () => {
  const { user, id, variables } = await workedProject();
  const log = join(user.folder, '.plans', `${id}.events.jsonl`);
  appendFileSync(log, '<<<<<<< ours\n');
  const ended = await user.run(['store', 'copy', '--to', 'postgres'], variables);
  expect(ended.status).toBe(1);
  expect(ended.error).toContain(id);
  const store = await newPostgresStore(variables.FRCTL_DATABASE_URL);
  expect(await store.ids()).toHaveLength(1);
});

test('runs go with their outputs, to PostgreSQL and back', async () => {
  const stamp = newStamp();
  const [one, other] = [join(temporaryFolder(), '.plans'), join(temporaryFolder(), '.plans')];
  const url = await newDatabase();
  const log = await createFileRunStore(one, stamp).create(preparedWith());
  const digest = await log.keep({ big: 'x'.repeat(5000) });
  const bytes = await log.keepBytes(Buffer.from([0, 255]));
  await log.append([startedWith(), attemptOf('a', 1)]);
  const places = [
    runContentsOfFiles(one),
    runContentsOfPostgres(openDatabase(url)),
    runContentsOfFiles(other),
  ] as const;
  for (const [from, to] of [places.slice(0, 2), places.slice(1)])
    for await (const each of copyRuns(from ?? places[0], to ?? places[0]))
      expect(each).toMatchObject({ outcome: 'copied' });
  for (const name of ['run-0000abcd.events.jsonl', `run-0000abcd/${digest}`, `run-0000abcd/${bytes}`])
    expect(readFileSync(join(other, 'runs', name))).toEqual(readFileSync(join(one, 'runs', name)));
  const run = await createPostgresRunStore(url, stamp).open('run-0000abcd');
  expect(await run.read(digest)).toEqual({ big: 'x'.repeat(5000) });
  expect((await run.append([{ type: 'abort_requested', reason: 'no' }]))[0]?.refused).toBeNull();
});

test('what was left to workers is changed in a database in which there never was one', async () => {
  const runs = createPostgresRunStore(await newDatabase(), newStamp());
  const log = await runs.create(preparedWith());
  const outcomes = await log.append([{ type: 'left_to_workers' }, { type: 'pause_requested' }]);
  expect(outcomes.map(({ refused }) => refused)).toEqual([null, null]);
  expect(await log.events()).toHaveLength(3);
});

test('a run that is damaged, or gone, keeps nothing else from being copied, and its outputs are told of', async () => {
  const stamp = newStamp();
  const folder = join(temporaryFolder(), '.plans');
  const url = await newDatabase();
  const runs = createFileRunStore(folder, stamp);
  const digests = new Map<string, string>();
  for (const run of ['run-0000aaaa', 'run-0000bbbb', 'run-0000cccc'])
    digests.set(run, await (await runs.create(preparedWith({ run }))).keep({ big: 'x'.repeat(5000) }));
  appendFileSync(join(folder, 'runs/run-0000aaaa.events.jsonl'), '<<<<<<< ours\n');
  rmSync(join(folder, 'runs/run-0000bbbb.events.jsonl'));
  const copied: Copied[] = [];
  const from = runContentsOfFiles(folder);
  for await (const each of copyRuns(from, runContentsOfPostgres(openDatabase(url)))) copied.push(each);
  const outputOf = (run: string) => ({ kind: 'output', id: `${run}/${digests.get(run) ?? ''}` });
  expect(copied).toMatchObject([
    { kind: 'run', id: 'run-0000aaaa', outcome: 'failed' },
    { kind: 'run', id: 'run-0000cccc', outcome: 'copied' },
    { ...outputOf('run-0000cccc'), outcome: 'copied' },
    { ...outputOf('run-0000aaaa'), outcome: 'failed' },
    { ...outputOf('run-0000bbbb'), outcome: 'failed' },
  ]);
});

test('damage of a run in a database is told in words of the database', async () => {
  const url = await newDatabase();
  const store = createPostgresRunStore(url, newStamp());
  const log = await store.create(preparedWith());
  await log.append([startedWith()]);
  await inServer(url, `update frctl_run_event set body = '{"x":1}' where seq = 2`);
  const { location } = store;
  const parts = [partOpener({ part: RUNS, store: null, open: async () => store })];
  const context = createContext({ environment: defaultEnvironment(), features: [{ parts }] });
  expect(await runDiagnoses(context)).toMatchObject([
    {
      code: 'RUN_DAMAGED',
      file: `${location}: run run-0000abcd`,
      message: expect.stringContaining('cannot be read at event 2') as string,
    },
  ]);
});
