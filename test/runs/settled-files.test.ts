import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { callFile, inputsOfFile } from '../../src/features/runs/runners/file.js';
import { settledFile } from '../../src/features/runs/runners/settled-file.js';
import type { FileBinding } from '../../src/features/actions/tools/bindings.js';
import type { JsonObject } from '../../src/kernel/json/json-value.js';
import { agree, carryOut, newPlace } from '../support/approving.js';
import { callWith, newWorkplace } from '../support/workplace.js';

const TOOLS = JSON.stringify({
  tools: [
    { name: 'add', run: { file: 'append' } },
    { name: 'write', run: { file: 'write' } },
  ],
});
const PLAN = {
  schema_version: '1.0',
  title: 'Add',
  steps: [
    { id: 'add', tool: 'add', args: { path: 'a.md', text: 'more' } },
    // What others take from it is known too.
    { id: 'use', tool: 'write', args: { path: 'b.md', text: '${add.path}' } },
  ],
};

const CALLS: readonly [FileBinding['file'], JsonObject][] = [
  ['append', { path: 'a.md', text: 'more' }],
  ['append', { path: 'new.md', text: 'first' }],
  ['remove', { path: 'a.md' }],
  ['move', { from: 'a.md', to: 'new.md' }],
  ['move', { from: 'a.md', to: 'b.md' }],
];

async function prepared(file: FileBinding['file'], args: JsonObject) {
  const place = newWorkplace();
  for (const name of ['a.md', 'b.md']) writeFileSync(join(place.root, name), `${name} as it was\n`);
  const before = await inputsOfFile({ file }, args, place);
  const settled = () => settledFile({ file }, args, before, place);
  return { place, settled };
}

describe.each(CALLS)('what came of %s %j is told by the files', (file, args) => {
  test('where it took effect, with what it brought', async () => {
    const { place, settled } = await prepared(file, args);
    const outcome = await callFile({ file }, callWith(args), place);
    const seen = await settled();
    expect(seen).toMatchObject({ as: 'succeeded' });
    // Without the copies that only the call itself knows.
    expect(outcome).toMatchObject({ output: (seen as { output: object }).output });
  });

  test('where it did not', async () => {
    const { settled } = await prepared(file, args);
    expect(await settled()).toEqual({ as: 'failed' });
  });

  test('and not told where somebody else has changed them', async () => {
    const { place, settled } = await prepared(file, args);
    for (const name of ['a.md', 'b.md', 'new.md']) writeFileSync(join(place.root, name), 'somebody else');
    expect(await settled()).toBeNull();
  });
});

test('a run that was killed in the middle of adding to a file asks nobody, and adds nothing twice', async () => {
  for (const isDone of [true, false]) {
    const place = await newPlace(PLAN, TOOLS);
    writeFileSync(join(place.folder, 'a.md'), 'before\n');
    const { run, approval } = await place.workspace.prepare('plan.json', {});
    await agree(place.workspace, approval?.code ?? '');
    // Whoever begins it is gone afterwards.
    await carryOut(place.as({ pid: 2 ** 22 + 1 }), run);
    rmSync(join(place.folder, 'b.md'));
    // The log as it is where the process was killed between the call and the line that tells its outcome.
    const log = join(place.folder, '.plans/runs', `${run}.events.jsonl`);
    const lines = readFileSync(log, 'utf8').split('\n');
    const ended = lines.findIndex((line) => line.includes('"attempt_ended"'));
    writeFileSync(log, `${lines.slice(0, ended).join('\n')}\n`);
    // Who is killed there has noted no end either.
    rmSync(join(place.home, '.config/frctl/begun-runs'), { recursive: true });
    writeFileSync(join(place.folder, 'a.md'), isDone ? 'before\nmore' : 'before\n');
    const report = await carryOut(place.workspace, run);
    expect(report).toMatchObject({ status: 'succeeded' });
    expect(readFileSync(join(place.folder, 'a.md'), 'utf8')).toBe('before\nmore');
    expect(readFileSync(join(place.folder, 'b.md'), 'utf8')).toBe('a.md');
  }
});
