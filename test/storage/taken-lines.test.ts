import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { changeTaken, readTaken } from '../../src/storage/file/log/taken-lines.js';
import { linesLost } from '../../src/storage/file/log/lost-lines.js';
import type { LostLine } from '../../src/storage/file/log/lost-lines.js';
import { temporaryFolder } from '../support/folders.js';
import { newFileStore } from '../support/stores.js';
import { creationOf } from '../support/store-contract.js';

const PROCESSES = 24;

test('of many who note at once what git took, nobody takes away what another has noted', async () => {
  const folder = journal();
  const lines = await lostLines();
  await Promise.all(lines.map((line) => add(folder, line)));
  expect(idsOf(await readTaken(folder))).toEqual(lines.map(({ id }) => id).toSorted());
  // One state is left of all.
  expect(readdirSync(folder)).toHaveLength(1);
});

test('who lets go of some while others come keeps the others', async () => {
  const folder = journal();
  const lines = await lostLines();
  const [first, ...later] = lines;
  if (first === undefined) throw new TypeError('there are lines');
  await add(folder, first);
  await Promise.all([
    changeTaken(folder, (before) => ({ ...before, lines: before.lines.filter(({ id }) => id !== first.id) })),
    ...later.map((line) => add(folder, line)),
  ]);
  expect(idsOf(await readTaken(folder))).toEqual(later.map(({ id }) => id).toSorted());
  await changeTaken(folder, () => ({ lines: [], action: '' }));
  expect((await readTaken(folder)).lines).toEqual([]);
  expect(readdirSync(folder)).toHaveLength(1);
});

/** Lines of a real log. */
async function lostLines(): Promise<readonly LostLine[]> {
  const folder = join(temporaryFolder(), '.plans');
  const store = await newFileStore(folder);
  const log = await store.create(creationOf('0398a958'), []);
  for (let index = 1; index < PROCESSES; index += 1)
    await log.append([{ type: 'plan_paused', because: 'user', detail: String(index) }]);
  const empty = join(folder, 'empty.jsonl');
  writeFileSync(empty, '');
  return linesLost(empty, 0, [join(folder, '0398a958.events.jsonl')]);
}

function journal(): string {
  const folder = join(temporaryFolder(), 'journal');
  mkdirSync(folder);
  return folder;
}

function add(folder: string, line: LostLine): Promise<void> {
  return changeTaken(folder, (before) => ({
    // As its users do: a change may be made of a state that has it.
    lines: [...before.lines.filter(({ id }) => id !== line.id), line],
    action: 'reset: moving to HEAD',
  }));
}

function idsOf({ lines }: { readonly lines: readonly LostLine[] }): readonly string[] {
  return lines.map(({ id }) => id).toSorted();
}
