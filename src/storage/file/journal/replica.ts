import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { readPlainFile } from '../../../host/files/plain-file.js';
import { createFile, replaceFile } from '../../../host/files/replace-file.js';
import { errorCode, storageError } from '../../../host/files/storage-error.js';

/** An id and a number. */
const MOST_BYTES = 4096;

const MOST_ID_LENGTH = 64;

interface Replica {
  readonly id: string;
  /** The inode of the folder. */
  readonly folder: number;
}

/** What stands for a file that holds something else: it names no folder. */
const NO_REPLICA: Replica = { id: '', folder: -1 };

/**
 * The id of this copy of the store. It stays out of git, so that each clone has its own, and names the
 * folder's inode, so that a copied folder gets a new one.
 * @param makeId where a new id comes from
 * @throws PlanError STORAGE_FAILED
 */
export async function replicaOf(store: string, makeId: () => string): Promise<string> {
  const path = join(store, '.replica');
  try {
    const folder = (await stat(store)).ino;
    const known = await readReplica(path);
    if (known?.folder === folder) return known.id;
    const content = `${JSON.stringify({ id: makeId(), folder })}\n`;
    // Of several processes that start at once, one publishes its id and all use it.
    if (known === null) await createFile(path, content);
    else await replaceFile(path, content);
    return (await readReplica(path))?.id ?? makeId();
  } catch (cause) {
    throw storageError('write', path, cause);
  }
}

async function readReplica(path: string): Promise<Replica | null> {
  try {
    const value: unknown = JSON.parse(await readPlainFile(path, MOST_BYTES));
    return isReplica(value) ? value : NO_REPLICA;
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    if (cause instanceof SyntaxError) return NO_REPLICA;
    throw cause;
  }
}

// By hand, for every change reads this file, and loading zod takes as long as the change.
function isReplica(value: unknown): value is Replica {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    value.id !== '' &&
    value.id.length <= MOST_ID_LENGTH &&
    'folder' in value &&
    typeof value.folder === 'number'
  );
}
