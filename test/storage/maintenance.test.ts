import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { createFileMaintenance } from '../../src/storage/file/maintenance/file-maintenance.js';
import { createMemoryMaintenance } from '../../src/storage/memory/memory-maintenance.js';
import { createMemoryStore } from '../../src/storage/memory/memory-store.js';
import { createPostgresMaintenance } from '../../src/features/teams/postgres/postgres-maintenance.js';
import { temporaryFolder } from '../support/folders.js';
import { describeMaintenanceContract } from '../support/maintenance-contract.js';
import { creationOf } from '../support/store-contract.js';
import { newDatabase } from '../support/postgres.js';
import { newPostgresStore } from '../support/postgres-stores.js';
import { newFileStore, newStamp } from '../support/stores.js';

async function inFiles() {
  const folder = join(temporaryFolder(), '.plans');
  const store = await newFileStore(folder);
  return { folder, store, maintenance: createFileMaintenance({ store, folder, now: Date.now }) };
}

describeMaintenanceContract('files', inFiles);
describeMaintenanceContract('memory', async () => {
  const store = createMemoryStore(newStamp());
  return { store, maintenance: createMemoryMaintenance(store) };
});
describeMaintenanceContract('PostgreSQL', async () => {
  const url = await newDatabase();
  const store = await newPostgresStore(url);
  return { store, maintenance: createPostgresMaintenance(url, store, newStamp()) };
});

test('what is found first can be mended before the rest is looked at', async () => {
  const { folder, store, maintenance } = await inFiles();
  const log = await store.create(creationOf('0398a958'));
  await log.publish('now');
  const file = join(folder, '0398a958.json');
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, 'broken');
  const found: (string | null)[] = [];
  for await (const { plan, diagnoses, backUp } of maintenance.examine()) {
    for (const { code, mend } of diagnoses.filter(({ severity }) => severity === 'error')) {
      found.push(plan, code);
      expect(readFileSync(join((await backUp?.()) ?? '', '0398a958.json'), 'utf8')).toBe('broken');
      expect(await mend?.()).not.toBeNull();
    }
  }
  expect(found).toEqual(['0398a958', 'PLAN_FILE_DAMAGED']);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(JSON.parse(whole) as object);
});
