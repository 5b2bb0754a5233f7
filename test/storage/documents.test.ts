import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { createFileDocuments } from '../../src/storage/file/file-documents.js';
import { createMemoryDocuments } from '../../src/storage/memory/memory-documents.js';
import { createMemoryStore } from '../../src/storage/memory/memory-store.js';
import { describeDocumentsContract, supplyFiles, type NewDocuments } from '../support/documents-contract.js';
import { temporaryFolder } from '../support/folders.js';
import { newFileStore, newStamp } from '../support/stores.js';

const inFiles: NewDocuments = async (supplied = {}) => {
  const folder = join(temporaryFolder(), '.plans');
  const store = await newFileStore(folder);
  const options = { folder, ownFolder: supplyFiles(folder, supplied) };
  const again = () => createFileDocuments(options);
  return { store, documents: again(), again };
};

const inMemory: NewDocuments = async (supplied) => {
  const store = createMemoryStore(newStamp());
  const documents = createMemoryDocuments(store, supplied);
  return { store, documents, again: () => documents };
};

describeDocumentsContract('files', inFiles);
describeDocumentsContract('memory', inMemory);

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
