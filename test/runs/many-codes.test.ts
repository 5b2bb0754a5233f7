import { join } from 'node:path';

import { expect, test } from 'vitest';

import { createFileRunStore } from '../../src/features/runs/storage/file/file-run-store.js';
import { agree, carryOut, newPlace, prepare } from '../support/approving.js';
import { preparedWith } from '../support/runs.js';

/** A place with a store that has so many runs which wait for a code. */
async function placeWith(count: number, plan?: object, codeKey?: string) {
  const place = await newPlace(plan);
  let stamps = 0;
  const store = createFileRunStore(join(place.folder, '.plans'), () => ({
    id: `event${(stamps += 1)}`,
    at: new Date(Date.now() + stamps).toISOString(),
    by: 'somebody',
  }));
  for (let index = 0; index < count; index += 1)
    await store.create(
      preparedWith({
        run: `run-${String(index).padStart(8, '0')}`,
        requires_approval: true,
        code: 'x',
        ...(codeKey === undefined ? {} : { code_key: codeKey }),
        expires_at: '2999-01-01T00:00:00Z',
      }),
    );
  return place;
}

test('W18: a code is not drawn while a hundred others are valid, and is when one of them is not any more', async () => {
  const place = await placeWith(100);
  await expect(prepare(place.workspace)).rejects.toMatchObject({
    code: 'WRONG_STATE',
    hint: expect.stringContaining('`plan abort run-00000000`'),
  });
  await place.workspace.abort('run-00000000');
  expect((await prepare(place.workspace)).code).toMatch(/^[0-9A-Z]{8}$/);
});

test('a code is drawn while a hundred of others are valid, which nobody can guess with another key', async () => {
  const place = await placeWith(100, undefined, 'f'.repeat(32));
  expect((await prepare(place.workspace)).code).toMatch(/^[0-9A-Z]{8}$/);
});

test('W18: the codes of steps count as well; a step that gets none is asked about again when the run goes on', async () => {
  const items = [1, 2, 3, 4, 5, 6];
  const place = await placeWith(95, {
    schema_version: '1.0',
    title: 'Notes',
    context: { items },
    steps: [
      {
        id: 'n',
        tool: 'note',
        args: { path: '${i}.md', text: 'hello' },
        requires_approval: true,
        foreach: { from: '$vars.items', item_name: 'i', concurrency: 6 },
      },
    ],
  });
  const { run, code } = await prepare(place.workspace);
  await agree(place.workspace, code);
  const asked = await carryOut(place.workspace, run);
  expect(asked).toMatchObject({ status: 'waiting' });
  const drawn = asked.waiting.filter((one) => one.code !== undefined);
  const without = asked.waiting.filter((one) => one.code === undefined);
  // The run itself takes none any more: 95 and 5 are a hundred.
  expect([drawn.length, without.length]).toEqual([5, 1]);
  expect(without).toMatchObject([
    { summary: expect.stringContaining('100 of yours are out'), commands: [`plan run ${run}`] },
  ]);
  await expect(prepare(place.workspace)).rejects.toMatchObject({ code: 'WRONG_STATE' });
  for (const one of drawn) await agree(place.workspace, one.code ?? '');
  const again = await carryOut(place.workspace, run);
  expect(again.waiting).toMatchObject([
    { step: without[0]?.step, code: expect.stringMatching(/^[0-9A-Z]{8}$/) },
  ]);
  await agree(place.workspace, again.waiting[0]?.code ?? '');
  expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
});
