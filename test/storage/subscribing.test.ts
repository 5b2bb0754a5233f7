import { join } from 'node:path';

import { expect, test } from 'vitest';

import { createFileStore, prepareStore } from '../../src/storage/file/file-store.js';
import type { StoreWarning } from '../../src/storage/plan-store.js';
import { temporaryFolder } from '../support/folders.js';
import { newStamp } from '../support/stores.js';

test('a store that cannot be followed says so, and ends no process', async () => {
  const folder = join(temporaryFolder(), '.plans');
  await prepareStore(folder);
  const warning = await new Promise<StoreWarning>((resolve) => {
    const options = { folder, stamp: newStamp(), makeReplicaId: () => 'r1', now: Date.now, warn: resolve };
    createFileStore(options).subscribe(() => {
      throw new Error('nobody listens');
    });
  });
  expect(warning).toMatchObject({ code: 'NOT_WATCHED', file: folder });
  expect(warning.message).toContain('nobody listens');
});
