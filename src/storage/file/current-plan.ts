import { join } from 'node:path';

import { exists } from '../../host/files/exists.js';
import { isTooLarge } from '../../host/files/file-identity.js';
import { fileKindNow } from '../../host/files/file-kind.js';
import { errorCode, storageError } from '../../host/files/storage-error.js';
import { readTextBesideIfAny, writeTextFile } from '../../host/files/text-files.js';
import { PlanError } from '../../kernel/errors.js';
import { sha256 } from '../../kernel/sha256.js';
import { PLAN_ID_PATTERN } from '../../plan/ids.js';

/** What is kept of a store for its user: the plan that he has chosen, or the one that he changed last. */
type KeptPlan = 'chosen' | 'changed';

/** Where choices are kept in the user's own folder, one file a store. */
const FOLDER = 'current';
/** An id, and a line end; what is longer is none. */
const MOST_BYTES = 100;

/**
 * Reads which plan of a store is the current one of its user, meant where none is named; null where there is none,
 * or what is
 * there is no plain file, or holds no id. It is kept in the user's own folder, for it is no part of the project.
 * @param ownFolder where the user's own config is
 * @param store the store's folder
 */
export async function readPlanOfUser(
  ownFolder: string,
  store: string,
  kept: KeptPlan,
): Promise<string | null> {
  if (!isWithin(ownFolder)) return null;
  const path = pathOf(ownFolder, store, kept);
  if (fileKindNow(path) !== 'file') return null;
  const text = await readTextBesideIfAny(path, MOST_BYTES).catch((thrown: unknown) => {
    if (isTooLarge(thrown) || (thrown instanceof PlanError && thrown.code === 'INVALID_INPUT')) return null;
    throw thrown;
  });
  const id = text?.trim() ?? '';
  return PLAN_ID_PATTERN.test(id) ? id : null;
}

/**
 * Keeps which plan is the current one of a user, in place of the one before; null is none.
 * @throws PlanError STORAGE_FAILED
 */
export async function storePlanOfUser(
  ownFolder: string,
  store: string,
  kept: KeptPlan,
  id: string | null,
): Promise<void> {
  const path = pathOf(ownFolder, store, kept);
  if (id !== null || exists(path)) await writeTextFile(path, id === null ? '' : `${id}\n`, 'make');
}

/** Whether there are choices. Under `sudo -u` and the like the home is another's, who may have closed it; it may be no folder at all. */
function isWithin(ownFolder: string): boolean {
  try {
    return exists(join(ownFolder, FOLDER));
  } catch (cause) {
    if (['EACCES', 'ENOTDIR'].includes(errorCode(cause) ?? '')) return false;
    throw storageError('look into', ownFolder, cause);
  }
}

function pathOf(ownFolder: string, store: string, kept: KeptPlan): string {
  const name = sha256(store).slice(0, 16);
  return join(ownFolder, FOLDER, kept === 'chosen' ? name : `${name}.${kept}`);
}
