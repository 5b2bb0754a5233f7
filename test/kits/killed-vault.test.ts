import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';

import { KITS } from '../../src/features/kits/kits.js';
import { sha256 } from '../../src/kernel/sha256.js';
import type { JsonObject } from '../../src/kernel/json/json-value.js';
import { callWith, newWorkplace } from '../support/workplace.js';

/** What a call comes to whose process was killed after it was made, and one that was killed before. */
async function killedAround(
  name: string,
  args: JsonObject,
  files: Readonly<Record<string, string>>,
  host: JsonObject = {},
) {
  const place = newWorkplace();
  for (const [file, text] of Object.entries(files)) outputFileSync(join(place.root, file), text);
  const tool = KITS.flatMap(({ tools }) => tools).find((one) => one.name === name);
  const carried = tool?.carry({ root: '.' }, { environment: place, markOfLook: () => 'look' });
  if (carried?.settled === undefined) throw new Error('cannot be settled');
  const setting = { host };
  const before = (await carried.watched?.(args, setting)) ?? (await carried.inputs?.(args)) ?? [];
  const early = await carried.settled(args, before, 'key', setting);
  const outcome = await carried.call(callWith(args, { ...setting, before }));
  if (outcome.outcome !== 'succeeded') throw new Error(outcome.error.message);
  return {
    early,
    late: await carried.settled(args, before, 'key', setting),
    done: outcome.output,
    place,
    carried,
    before,
  };
}

test.each([
  ['vault.writeFile', { path: 'a', content: 'more\n', mode: 'append' }, { 'a.md': 'one\r\n' }],
  ['vault.writeFile', { path: 'b', content: 'more\n', mode: 'append' }, {}],
  ['vault.patchFile', { path: 'a', find: 'one', text: 'two' }, { 'a.md': '\uFEFFone\n' }],
  [
    'vault.rename',
    { fromPath: 'a', toPath: 'c/b' },
    { 'a.md': '[[a]]', 'n.md': '[[a]] ![[a#h]]', 'other.md': '[[n]]' },
  ],
  ['vault.delete', { path: 'a' }, { 'a.md': 'x', '.trash/a.md': 'older' }],
  ['vault.delete', { path: 'a', trash: false }, { 'a.md': 'x' }],
] as const)(
  '%s %j that was killed is known by the files: before it, and after it',
  async (name, args, files) => {
    const { early, late, done } = await killedAround(name, args, files);
    expect(early).toEqual({ as: 'failed' });
    expect(late).toEqual({ as: 'succeeded', output: done });
  },
);

/** The second of three lines is selected, from its third character to its sixth. */
const SELECTED = {
  selection: {
    text: 'old',
    isEmpty: false,
    filePath: 'day.md',
    mode: 'source',
    range: { start: { line: 1, ch: 2 }, end: { line: 1, ch: 5 } },
  },
};
const DAY = '\uFEFFa\r\n  old text\r\nz\r\n';
const CURSOR = { cursor: { filePath: 'day.md', line: 1, ch: 2, sha256: sha256(Buffer.from(DAY)) } };

test.each([
  ['editor.replaceSelection', { text: 'one\ntwo', preserveIndent: true }, SELECTED],
  ['editor.replaceSelection', { text: '' }, SELECTED],
  ['editor.insertAtCursor', { text: 'new\n' }, SELECTED],
  ['editor.insertAtCursor', { text: 'old' }, CURSOR],
])('%s %j that was killed is known by the file', async (name, args, host) => {
  const { early, late, done } = await killedAround(name, args, { 'day.md': DAY }, host);
  expect(early).toEqual({ as: 'failed' });
  expect(late).toEqual({ as: 'succeeded', output: done });
});

const UNIQUE = { path: 'a', content: 'x', collisionStrategy: 'create-unique' };

test.each([
  [{}, 'a.md'],
  [{ 'a.md': 'x' }, 'a 1.md'],
])(
  'a note of its own name that was made where there are %j is known by the path that was promised',
  async (files, path) => {
    const { early, late, done } = await killedAround('vault.createFile', UNIQUE, files);
    expect(early).toEqual({ as: 'failed' });
    expect(late).toEqual({ as: 'succeeded', output: done });
    expect(done).toMatchObject({ path, created: true });
  },
);

test('notes of one name that are made at once are promised paths of their own, whoever is first', async () => {
  const { carried, place } = await killedAround('vault.createFile', UNIQUE, {});
  const promised = await Promise.all([carried.watched?.(UNIQUE, {}), carried.watched?.(UNIQUE, {})]);
  // Either look may come first.
  const [one = [], two = []] = promised
    .map((files) => files ?? [])
    .toSorted(([a], [b]) => ((a?.path ?? '') < (b?.path ?? '') ? -1 : 1));
  expect([...one, ...two].map(({ path }) => path)).toEqual(['a 1.md', 'a 2.md']);
  await carried.call(callWith(UNIQUE, { before: two }));
  expect(await carried.settled?.(UNIQUE, one, 'key')).toEqual({ as: 'failed' });
  outputFileSync(join(place.root, 'a 1.md'), 'of somebody else');
  expect(await carried.settled?.(UNIQUE, one, 'key')).toBeNull();
});

test('what somebody else has changed meanwhile is settled by nobody but a person', async () => {
  const args = { path: 'a', content: 'x', mode: 'append' };
  const { place, carried, before } = await killedAround('vault.writeFile', args, { 'a.md': 'one' });
  outputFileSync(join(place.root, 'a.md'), 'something else');
  expect(await carried.settled?.(args, before, 'key')).toBeNull();
  expect(readFileSync(join(place.root, 'a.md'), 'utf8')).toBe('something else');
  expect(existsSync(join(place.root, '.trash'))).toBe(false);
});
