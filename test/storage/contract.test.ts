import { createMemoryStore } from '../../src/storage/memory/memory-store.js';
import { describeStoreContract } from '../support/store-contract.js';
import { newPostgresStore } from '../support/postgres-stores.js';
import { newFileStore, newStamp } from '../support/stores.js';

describeStoreContract('files', () => newFileStore());
describeStoreContract('memory', async () => createMemoryStore(newStamp()));
describeStoreContract('PostgreSQL', () => newPostgresStore());
