import { join } from 'node:path';

import { readPlainFile } from '../../../../host/files/plain-file.js';
import { makeFolder } from '../../../../host/files/make-folder.js';
import { createFile } from '../../../../host/files/replace-file.js';
import type { Permissions } from '../../../../host/files/replace-file.js';
import { storageError } from '../../../../host/files/storage-error.js';
import { PlanError } from '../../../../kernel/errors.js';
import { readJsonDocument } from '../../../../kernel/json/json-document.js';
import { valueOfTree } from '../../../../kernel/json/json-tree.js';
import type { JsonValue } from '../../../../kernel/json/json-value.js';
import { sha256 } from '../../../../kernel/sha256.js';

/** Keeps bytes of a run on disk, named by their SHA-256. @throws PlanError STORAGE_FAILED */
export async function storeBytes(folder: string, content: Buffer, permissions: Permissions): Promise<string> {
  const digest = sha256(content);
  try {
    await makeFolder(folder);
    // What is there under that name is the same.
    await createFile(join(folder, digest), content, { permissions });
  } catch (cause) {
    throw storageError('write', join(folder, digest), cause);
  }
  return digest;
}

/** Reads a value that was kept. @throws PlanError STORAGE_FAILED, STORE_DAMAGED */
export async function readRunValueFile(path: string, digest: string): Promise<JsonValue> {
  let text: string;
  try {
    text = await readPlainFile(path);
  } catch (cause) {
    throw storageError('read', path, cause);
  }
  if (sha256(text) !== digest)
    throw new PlanError('STORE_DAMAGED', `${path} is not what the run has written`, { details: { path } });
  return valueOfTree(readJsonDocument(text).root);
}
