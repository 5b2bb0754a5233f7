import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { PlanError } from '../../src/kernel/errors.js';
import { temporaryFolder } from '../support/folders.js';
import { complete, expand, id, newWorkplace, PLAN } from '../support/worked-plan.js';

/** Commands that write; what they are refused is as good as what they are not. */
async function workOn(dir: string): Promise<void> {
  const workspace = openWorkspace({
    dir,
    environment: { workingFolder: dirname(dir), homeFolder: temporaryFolder() },
  });
  const deeds: readonly (() => Promise<unknown>)[] = [
    () => workspace.status(PLAN),
    () => workspace.list(),
    () => workspace.complete(id('a'), { summary: 'Did it' }),
    () => workspace.publish(PLAN),
    () => workspace.edit(id('b'), { description: 'Edited' }),
    () => workspace.archive(PLAN),
    () => workspace.restore(PLAN),
    () => workspace.config.set('max_depth', '3'),
    () => workspace.doctor({ fix: true }),
    () => workspace.doctor({ accept: true }),
    () => workspace.delete(PLAN, { purge: true }),
  ];
  for (const deed of deeds)
    await deed().catch((thrown: unknown) => {
      if (!(thrown instanceof PlanError)) throw thrown;
    });
}

/** A store of a repository, and a file of its user that is none of its business. */
async function newRepository() {
  const [place, outside] = [await newWorkplace(), temporaryFolder()];
  await place.change(expand('root', ['a', 'b']), complete('b'));
  const precious = join(outside, 'precious');
  writeFileSync(precious, 'precious');
  return { store: place.store, outside, precious };
}

function linkTo(target: string, path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

const journal = `journal/${PLAN}`;
const notes = ['checked.json', 'taken.jsonl'].map((name) => `${journal}/${name}`);

/** Files that are links at once, so that each stops as few commands as possible. */
const LINKED: readonly (readonly [string, (store: string) => readonly string[]])[] = [
  [
    'what is noted beside a plan',
    () => [...notes, 'index.json', '.replica', '.gitignore', 'journal/.gitignore'],
  ],
  ['names in the journal', (store) => readdirSync(join(store, journal)).map((name) => `${journal}/${name}`)],
  ['the plan file and settings', () => [`${PLAN}.json`, 'config.json', 'config.json.lock.tmp']],
  ['the log', () => [`${PLAN}.events.jsonl`, `${PLAN}.events.jsonl.purged.tmp`]],
];

test.each(LINKED)('where links lead nothing is written over: %s', async (_what, namesIn) => {
  const { store, outside, precious } = await newRepository();
  for (const name of namesIn(store)) linkTo(precious, join(store, name));
  await workOn(store);
  expect([readdirSync(outside), readFileSync(precious, 'utf8')]).toEqual([['precious'], 'precious']);
});

test('where folders that are links lead nothing is made', async () => {
  for (const names of [[journal, 'backup', 'archive'], ['journal']]) {
    const { store, outside } = await newRepository();
    for (const name of names) linkTo(outside, join(store, name));
    await workOn(store);
    expect([names, readdirSync(outside)]).toEqual([names, ['precious']]);
  }
});
