import { isBelow } from '../../../host/files/is-below.js';

import { copyToFolder, readStoredTextIfAny } from '../../../host/files/text-files.js';
import { isOfOneFile } from '../../../host/files/storage-error.js';
import type { Diagnosis, Examination, Maintenance } from '../../maintenance.js';
import type { PlanStore } from '../../plan-store.js';
import { inspectFiles, inspectJournal } from './inspect-store.js';
import { backUp } from './mend-store.js';
import { backupPath, planPaths } from '../store-paths.js';
import { findPlanFolder, plansOnDisk } from '../plans-on-disk.js';
import { CANNOT_BE_READ, cannotBeRead, fileDiagnoses, storeDiagnoses } from './diagnose-files.js';
import { removedLogDiagnoses } from './diagnose-journal.js';
import { diagnosePlan } from './diagnose-plan.js';
import { diagnoseTwoFolders } from './diagnose-two-folders.js';

export interface FileMaintenanceOptions {
  readonly store: PlanStore;
  /** The store's folder. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Maintenance of a store in files: each of its files is looked at, as a file and as what it holds. */
export function createFileMaintenance(options: FileMaintenanceOptions): Maintenance {
  const { folder } = options;
  return {
    examine: (keep) => examineFiles(options, keep),
    async snapshot(planId) {
      const planFolder = (await findPlanFolder(folder, planId)) ?? 'store';
      return readStoredTextIfAny(planPaths(folder, planId, planFolder).planFile);
    },
    keepCopy: (path, under) => copyToFolder(path, backupPath(folder, under)),
  };
}

async function* examineFiles(
  options: FileMaintenanceOptions,
  keep: 'file' | 'log' | undefined,
): AsyncGenerator<Examination> {
  const { store, folder, now } = options;
  const ofStore = { plan: null, backUp: null };
  const named = new Set<string>();
  const unlessUnreadable = (look: () => Promise<readonly Diagnosis[]>) => diagnosesOf(look, named);
  for (const look of [
    () => inspectFiles(folder, 'store'),
    () => inspectFiles(folder, 'archive'),
    () => inspectJournal(folder),
  ])
    yield {
      ...ofStore,
      diagnoses: await unlessUnreadable(async () => fileDiagnoses(await look(), folder)),
    };
  for (const [plan, diagnosis] of await removedLogDiagnoses(folder))
    yield { plan, diagnoses: [diagnosis], backUp: null };
  for (const [id, { planFolder, isInBoth }] of await plansOnDisk(folder, now(), () => undefined))
    yield {
      plan: id,
      diagnoses: [
        ...(await unlessUnreadable(() => diagnosePlan({ store, folder, planFolder, id, keep }))),
        ...(isInBoth
          ? await unlessUnreadable(async () => [await diagnoseTwoFolders({ store, folder, planFolder, id })])
          : []),
      ],
      backUp: () => backUp(folder, id, new Date(now()).toISOString()),
    };
  yield { ...ofStore, diagnoses: await unlessUnreadable(() => storeDiagnoses(folder, store)) };
}

/**
 * What is wrong with a part of a store, one that cannot be looked at included: the rest is looked at all the same.
 * @param named the files that something was said of already
 * @throws PlanError STORAGE_FAILED when it is for no file of its own
 */
async function diagnosesOf(
  look: () => Promise<readonly Diagnosis[]>,
  named: Set<string>,
): Promise<readonly Diagnosis[]> {
  try {
    const diagnoses = (await look()).filter(
      ({ code, file }) => code !== CANNOT_BE_READ || !isNamed(file, named),
    );
    for (const { file, severity } of diagnoses) if (severity === 'error') named.add(file);
    return diagnoses;
  } catch (thrown) {
    if (!isOfOneFile(thrown)) throw thrown;
    const diagnosis = cannotBeRead(thrown);
    if (isNamed(diagnosis.file, named)) return [];
    named.add(diagnosis.file);
    return [diagnosis];
  }
}

/** Whether something was said already of a file, or of a folder that it is in. */
function isNamed(file: string, named: ReadonlySet<string>): boolean {
  return [...named].some((one) => file === one || isBelow(file, one));
}
