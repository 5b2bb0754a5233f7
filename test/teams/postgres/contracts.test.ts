import { join } from 'node:path';

import { openDatabase } from '../../../src/features/teams/postgres/database.js';
import { createPostgresDocuments } from '../../../src/features/teams/postgres/postgres-documents.js';
import { createPostgresMaintenance } from '../../../src/features/teams/postgres/postgres-maintenance.js';
import { createFileDocuments } from '../../../src/storage/file/file-documents.js';
import { describeDocumentsContract, supplyFiles } from '../../support/documents-contract.js';
import { temporaryFolder } from '../../support/folders.js';
import { describeMaintenanceContract } from '../../support/maintenance-contract.js';
import { newDatabase } from '../../support/postgres.js';
import { newPostgresStore } from '../../support/postgres-stores.js';
import { describeStoreContract } from '../../support/store-contract.js';
import { newFileStore, newStamp } from '../../support/stores.js';

describeStoreContract('PostgreSQL', () => newPostgresStore());
describeDocumentsContract('PostgreSQL', async (supplied = {}) => {
  const folder = join(temporaryFolder(), '.plans');
  await newFileStore(folder);
  const url = await newDatabase();
  const options = { folder, ownFolder: supplyFiles(folder, supplied) };
  const again = () => createPostgresDocuments(async () => openDatabase(url), createFileDocuments(options));
  return { store: await newPostgresStore(url), documents: again(), again };
});
describeMaintenanceContract('PostgreSQL', async () => {
  const url = await newDatabase();
  const store = await newPostgresStore(url);
  return { store, maintenance: createPostgresMaintenance(url, store, newStamp()) };
});
