import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { createFileDocuments } from '../../src/storage/file/file-documents.js';
import { createMemoryDocuments } from '../../src/storage/memory/memory-documents.js';
import { createMemoryStore } from '../../src/storage/memory/memory-store.js';
import { openDatabase } from '../../src/features/teams/postgres/database.js';
import { createPostgresDocuments } from '../../src/features/teams/postgres/postgres-documents.js';
import { describeDocumentsContract, type NewDocuments } from '../support/documents-contract.js';
import { temporaryFolder } from '../support/folders.js';
import { newDatabase } from '../support/postgres.js';
import { newPostgresStore } from '../support/postgres-stores.js';
import { newFileStore, newStamp } from '../support/stores.js';

const inFiles: NewDocuments = async (supplied = {}) => {
  const folder = join(temporaryFolder(), '.plans');
  const store = await newFileStore(folder);
  const options = { folder, ownFolder: supplyFiles(folder, supplied) };
  const again = () => createFileDocuments(options);
  return { store, documents: again(), again };
};

const inPostgres: NewDocuments = async (supplied = {}) => {
  const folder = join(temporaryFolder(), '.plans');
  await newFileStore(folder);
  const url = await newDatabase();
  const options = { folder, ownFolder: supplyFiles(folder, supplied) };
  const again = () => createPostgresDocuments(async () => openDatabase(url), createFileDocuments(options));
  return { store: await newPostgresStore(url), documents: again(), again };
};

function supplyFiles(folder: string, supplied: NonNullable<Parameters<NewDocuments>[0]>): string {
  const ownFolder = join(temporaryFolder(), 'own');
  for (const [kind, files] of Object.entries(supplied)) {
    mkdirSync(join(folder, kind));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, kind, name), text);
    // What has another ending is something else.
    writeFileSync(join(folder, kind, 'README'), 'none of them');
  }
  return ownFolder;
}

const inMemory: NewDocuments = async (supplied) => {
  const store = createMemoryStore(newStamp());
  const documents = createMemoryDocuments(store, supplied);
  return { store, documents, again: () => documents };
};

describeDocumentsContract('files', inFiles);
describeDocumentsContract('memory', inMemory);
describeDocumentsContract('PostgreSQL', inPostgres);

describe('documents in files', () => {
  test('are where people find them', async () => {
    const folder = join(temporaryFolder(), '.plans');
    const { actionPlans, settings } = createFileDocuments({ folder, ownFolder: temporaryFolder() });
    expect(actionPlans.locate('ap-000001')).toBe(join(folder, 'actions', 'ap-000001.json'));
    expect(settings?.location).toBe(join(folder, 'config.json'));
  });

  test('are never behind a link', async () => {
    const { documents } = await inFiles();
    const elsewhere = temporaryFolder();
    writeFileSync(join(elsewhere, 'ap-000001.json'), 'stolen');
    const path = documents.actionPlans.locate('ap-000001') ?? '';
    symlinkSync(elsewhere, join(path, '..'));
    await expect(documents.actionPlans.read('ap-000001')).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    await expect(
      documents.actionPlans.keep(
        () => 'x',
        () => 'ap-000002',
      ),
    ).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  });

  test('are refused when they are larger than people write them', async () => {
    const large = 'x'.repeat(256 * 1024 + 1);
    const { documents } = await inFiles({ prompts: { 'expand.user.md': large } });
    await expect(documents.supplied('prompts')).rejects.toMatchObject({ name: 'PlanError' });
  });
});
