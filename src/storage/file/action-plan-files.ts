import { join } from 'node:path';

import { PlanError } from '../../kernel/errors.js';
import { checkedActionPlanId } from '../document-ids.js';
import { readPlainFile } from '../../host/files/plain-file.js';
import { makeFolder } from '../../host/files/make-folder.js';
import { deleteFile } from '../../host/files/move-file.js';
import { createFile } from '../../host/files/replace-file.js';
import { errorCode, storageError } from '../../host/files/storage-error.js';

/** The file of an action plan of a store. The id is checked, so that nothing else becomes part of a path. */
export function actionPlanPath(store: string, id: string): string {
  return join(store, 'actions', `${checkedActionPlanId(id)}.json`);
}

/**
 * Keeps an action plan under an id of its own. It is there as a whole or not at all, and what is there is never
 * overwritten.
 * @param newId draws ids until one is free
 * @returns the id
 * @throws PlanError STORAGE_FAILED
 */
export async function storeActionPlan(
  store: string,
  textFor: (id: string) => string,
  newId: () => string,
): Promise<string> {
  const folder = join(store, 'actions');
  try {
    await makeFolder(folder);
    for (;;) {
      const id = newId();
      if (await createFile(actionPlanPath(store, id), textFor(id))) return id;
    }
  } catch (cause) {
    throw cause instanceof PlanError ? cause : storageError('write to', folder, cause);
  }
}

/** The text of an action plan. @throws PlanError FILE_NOT_FOUND, STORAGE_FAILED */
export async function readActionPlanText(store: string, id: string): Promise<string> {
  const path = actionPlanPath(store, id);
  try {
    return await readPlainFile(path);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT')
      throw new PlanError('FILE_NOT_FOUND', `there is no action plan ${id}`, {
        hint: { commandLine: '`plan show` lists the action plans of a goal.' },
        details: { path },
        cause,
      });
    throw cause instanceof PlanError ? cause : storageError('read', path, cause);
  }
}

/**
 * Removes the files of an action plan that no goal has; one that is gone already is none.
 * @throws PlanError STORAGE_FAILED
 */
export async function dropActionPlan(store: string, id: string): Promise<void> {
  await deleteFile(actionPlanPath(store, id));
}
