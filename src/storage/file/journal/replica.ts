import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

import { readPlainFile } from '../../../host/files/plain-file.js';
import { createFile, replaceFile } from '../../../host/files/replace-file.js';
import { errorCode, storageError } from '../../../host/files/storage-error.js';

/** An id and a number. */
const MOST_BYTES = 4096;

const replicaSchema = z.object({ id: z.string().min(1).max(64), folder: z.number() });

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

async function readReplica(path: string): Promise<z.infer<typeof replicaSchema> | null> {
  try {
    const parsed = replicaSchema.safeParse(JSON.parse(await readPlainFile(path, MOST_BYTES)));
    return parsed.success ? parsed.data : { id: '', folder: -1 };
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    if (cause instanceof SyntaxError) return { id: '', folder: -1 };
    throw cause;
  }
}
