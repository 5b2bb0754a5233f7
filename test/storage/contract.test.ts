import { createMemoryStore } from '../../src/storage/memory/memory-store.js';
import { describeStoreContract } from '../support/store-contract.js';
import { newFileStore, newStamp } from '../support/stores.js';

describeStoreContract('files', () => newFileStore());
describeStoreContract('memory', async () => createMemoryStore(newStamp()));
