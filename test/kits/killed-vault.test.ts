import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';

import { KITS } from '../../src/features/kits/kits.js';
import type { JsonObject } from '../../src/kernel/json/json-value.js';
import { callWith, newWorkplace } from '../support/workplace.js';

/** What a call comes to whose process was killed after it was made, and one that was killed before. */
async function killedAround(name: string, args: JsonObject, files: Readonly<Record<string, string>>) {
  const place = newWorkplace();
  for (const [file, text] of Object.entries(files)) outputFileSync(join(place.root, file), text);
  const tool = KITS.flatMap(({ tools }) => tools).find((one) => one.name === name);
  const carried = tool?.carry({ root: '.' }, { environment: place, markOfLook: () => 'look' });
  if (carried?.inputs === undefined || carried.settled === undefined) throw new Error('cannot be settled');
  const before = await carried.inputs(args);
  const early = await carried.settled(args, before, 'key');
  const outcome = await carried.call(callWith(args));
  if (outcome.outcome !== 'succeeded') throw new Error(outcome.error.message);
  return {
    early,
    late: await carried.settled(args, before, 'key'),
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

test('what somebody else has changed meanwhile is settled by nobody but a person', async () => {
  const args = { path: 'a', content: 'x', mode: 'append' };
  const { place, carried, before } = await killedAround('vault.writeFile', args, { 'a.md': 'one' });
  outputFileSync(join(place.root, 'a.md'), 'something else');
  expect(await carried.settled?.(args, before, 'key')).toBeNull();
  expect(readFileSync(join(place.root, 'a.md'), 'utf8')).toBe('something else');
  expect(existsSync(join(place.root, '.trash'))).toBe(false);
});
