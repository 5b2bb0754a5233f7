import { join } from 'node:path';

import { expect, test } from 'vitest';

import { createFileRunStore } from '../../src/storage/file/runs/file-run-store.js';
import { newPlace, prepare } from '../support/approving.js';
import { preparedWith } from '../support/runs.js';

test('W18: a code is not drawn while a hundred others are valid, and is when one of them is not any more', async () => {
  const place = await newPlace();
  let stamps = 0;
  const store = createFileRunStore(join(place.folder, '.plans'), () => ({
    id: `event${(stamps += 1)}`,
    at: new Date(Date.now() + stamps).toISOString(),
    by: 'somebody',
  }));
  for (let index = 0; index < 100; index += 1)
    await store.create(
      preparedWith({
        run: `run-${String(index).padStart(8, '0')}`,
        requires_approval: true,
        code: 'x',
        expires_at: '2999-01-01T00:00:00Z',
      }),
    );
  await expect(prepare(place.workspace)).rejects.toMatchObject({
    code: 'WRONG_STATE',
    hint: expect.stringContaining('`plan abort run-00000000`'),
  });
  await place.workspace.abort('run-00000000');
  expect((await prepare(place.workspace)).code).toMatch(/^[0-9A-Z]{8}$/);
});
