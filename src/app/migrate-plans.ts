import { join, resolve } from 'node:path';

import { messageOf, PlanError } from '../errors.js';
import type { Summary } from '../plan/schema.js';
import { copyWholeFile, readTextFolder } from '../store/text-files.js';
import type { Context } from './context.js';
import { importPlan } from './import-plan.js';

/** Where the legacy tool kept its plans. */
const LEGACY_FOLDER = join('.frctl', 'plans');

export interface Migration {
  readonly plans: readonly Summary[];
  /** Files of the legacy tool that are no plans, kept word for word in the store's `backup/legacy/`. */
  readonly kept: readonly string[];
  /** Plans that were there already. */
  readonly skipped: readonly string[];
  readonly problems: readonly { readonly file: string; readonly code: string; readonly message: string }[];
}

/**
 * Takes every plan of the legacy tool into the store. What is no plan (its index, its hidden backups) is
 * copied, so that nothing is lost; the legacy folder is left as it is.
 * @param folder the legacy folder (default: `.frctl/plans`)
 * @throws PlanError FILE_NOT_FOUND when there is nothing to migrate, STORAGE_FAILED
 */
export async function migratePlans(context: Context, folder: string | undefined): Promise<Migration> {
  const place = folder ?? LEGACY_FOLDER;
  const files = await readTextFolder(resolve(context.environment.workingFolder, place), '.json');
  if (files.length === 0) {
    throw new PlanError('FILE_NOT_FOUND', `there is no plan in ${place}`, {
      hint: 'plan migrate FOLDER names another place.',
    });
  }
  const store = await context.storeToWrite();
  const taken = new Set([...(await store.ids('active')), ...(await store.ids('archive'))]);
  const plans: Summary[] = [];
  const [kept, skipped]: [string[], string[]] = [[], []];
  const problems: { file: string; code: string; message: string }[] = [];
  for (const { name, path } of files) {
    const id = /^([0-9a-f]{8})\.json$/.exec(name)?.[1];
    try {
      if (id === undefined) kept.push(await keep(context, path, name));
      else if (taken.has(id)) skipped.push(id);
      else plans.push(await importPlan(context, path));
    } catch (thrown) {
      if (thrown instanceof PlanError && thrown.code === 'STORAGE_FAILED') throw thrown;
      problems.push({
        file: path,
        code: thrown instanceof PlanError ? thrown.code : 'INTERNAL',
        message: messageOf(thrown),
      });
      kept.push(await keep(context, path, name));
    }
  }
  return { plans, kept, skipped, problems };
}

async function keep(context: Context, path: string, name: string): Promise<string> {
  const folder = context.storeFolder();
  if (folder !== null) await copyWholeFile(path, join(folder, 'backup', 'legacy', name));
  return name;
}
