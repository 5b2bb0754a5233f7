import { join, resolve } from 'node:path';

import { PlanError } from '../errors.js';
import type { Summary } from '../plan/schema.js';
import { backupPath, realFolder } from '../store/file/layout.js';
import { fileNames, keepCopy, readStoredText } from '../store/text-files.js';
import type { Context } from './context.js';
import { parsePlanToImport, storePlan } from './import-plan.js';

/** Where the legacy tool kept its plans. */
const LEGACY_FOLDER = join('.frctl', 'plans');

export interface Migration {
  readonly plans: readonly Summary[];
  /** Files that are no plans, or could not be read as such: their copies in the store's `backup/legacy/`. */
  readonly kept: readonly string[];
  /** Plans that were there already. */
  readonly skipped: readonly string[];
  readonly problems: readonly { readonly file: string; readonly code: string; readonly message: string }[];
}

/**
 * Takes every plan of the legacy tool into the store. What is no plan (its index, its hidden backups), and
 * what cannot be read as one, is copied, so that nothing is lost; the legacy folder is left as it is.
 * @param folder the legacy folder (default: `.frctl/plans`)
 * @throws PlanError FILE_NOT_FOUND when there is nothing to migrate, STORAGE_FAILED
 */
export async function migratePlans(context: Context, folder: string | undefined): Promise<Migration> {
  const place = folder ?? LEGACY_FOLDER;
  // The legacy folder came with the repository: what its path leads to must be in the folder that the user is in.
  const { workingFolder } = context.environment;
  const legacy =
    folder === undefined
      ? join(realFolder(workingFolder), LEGACY_FOLDER)
      : realFolder(resolve(workingFolder, folder));
  const names = await fileNames(legacy);
  if (names.length === 0) {
    throw new PlanError('FILE_NOT_FOUND', `there is no plan in ${place}`, {
      hint: 'plan migrate FOLDER names another place.',
    });
  }
  const store = await context.storeToWrite();
  const taken = new Set(await store.ids());
  const plans: Summary[] = [];
  const [kept, skipped]: [string[], string[]] = [[], []];
  const problems: { file: string; code: string; message: string }[] = [];
  for (const name of names) {
    const path = join(legacy, name);
    const id = /^([0-9a-f]{8})\.json$/.exec(name)?.[1];
    try {
      if (id === undefined) kept.push(...(await keep(context, path)));
      else if (taken.has(id)) skipped.push(id);
      else plans.push(await importAs(context, path, id));
    } catch (thrown) {
      if (!(thrown instanceof PlanError) || thrown.code === 'STORAGE_FAILED') throw thrown;
      problems.push({ file: path, code: thrown.code, message: thrown.message });
      kept.push(...(await keep(context, path)));
    }
  }
  return { plans, kept, skipped, problems };
}

/** Imports a plan under the id that its file is named after, and no other. */
async function importAs(context: Context, path: string, id: string): Promise<Summary> {
  const plan = parsePlanToImport(await readStoredText(path), path);
  if (plan.id === id) return storePlan(context, plan);
  throw new PlanError('INVALID_PLAN', `${path} holds plan ${plan.id}`, {
    hint: '`plan import` takes it under that id.',
  });
}

async function keep(context: Context, path: string): Promise<readonly string[]> {
  const folder = context.storeFolder();
  return folder === null ? [] : [await keepCopy(path, backupPath(folder, 'legacy'))];
}
