import { createMemoryStore } from '../../src/store/memory.js';
import { describeStoreContract } from '../support/store-contract.js';
import { newFileStore, newStamp } from '../support/stores.js';

describeStoreContract('files', () => newFileStore());
describeStoreContract('memory', async () => createMemoryStore(newStamp()));
