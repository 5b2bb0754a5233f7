import { PlanError } from '../../../kernel/errors.js';
import { isBelow } from '../../../host/files/is-below.js';

import { copyToFolder, readStoredTextIfAny } from '../../../host/files/text-files.js';
import { isOfOneFile } from '../../../host/files/storage-error.js';
import type { Diagnosis, Examination, Maintenance } from '../../maintenance.js';
import type { FilePlanStore } from '../file-store.js';
import { isUnreadablePlan } from '../../unreadable-plan.js';
import { inspectFiles, inspectJournal } from './inspect-store.js';
import { backUp } from './mend-store.js';
import { backupPath, planPaths } from '../store-paths.js';
import { findPlanFolder, plansOnDisk } from '../plans-on-disk.js';
import {
  CANNOT_BE_READ,
  cannotBeRead,
  fileDiagnoses,
  storeDiagnoses,
  unusablePlan,
} from './diagnose-files.js';
import { removedLogDiagnoses } from './diagnose-journal.js';
import { diagnoseMisplaced } from './diagnose-misplaced.js';
import { diagnosePlan } from './diagnose-plan.js';
import { diagnoseTwoFolders } from './diagnose-two-folders.js';

export interface FileMaintenanceOptions {
  readonly store: FilePlanStore;
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
  const backUpOf = (id: string) => () => backUp(folder, id, new Date(now()).toISOString());
  // First: what is not what its name says would be taken for a part of the wrong plan.
  const misplaced = await diagnoseMisplaced(folder);
  for (const [plan, diagnoses] of misplaced.diagnoses) yield { plan, diagnoses, backUp: backUpOf(plan) };
  const removed = await removedLogDiagnoses(folder);
  for (const [plan, diagnosis] of removed) yield { plan, diagnoses: [diagnosis], backUp: null };
  for (const [id, { planFolder, isInBoth }] of await plansOnDisk(folder, now(), () => undefined)) {
    if (misplaced.isOf(id)) continue;
    yield {
      plan: id,
      diagnoses: [
        // A log that was removed is not one that there never was.
        ...(await unlessUnreadable(() => diagnosePlan({ store, folder, planFolder, id, keep }))).filter(
          ({ code }) => code !== 'NO_LOG' || !removed.has(id),
        ),
        ...(isInBoth
          ? await unlessUnreadable(async () => [await diagnoseTwoFolders({ store, folder, planFolder, id })])
          : []),
      ],
      backUp: backUpOf(id),
    };
  }
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
    // It was deleted while the others were looked at.
    if (thrown instanceof PlanError && thrown.code === 'PLAN_NOT_FOUND') return [];
    if (!isUnreadablePlan(thrown)) throw thrown;
    const diagnosis = isOfOneFile(thrown) ? cannotBeRead(thrown) : unusablePlan(thrown);
    if (isNamed(diagnosis.file, named)) return [];
    named.add(diagnosis.file);
    return [diagnosis];
  }
}

/** Whether something was said already of a file, or of a folder that it is in. */
function isNamed(file: string, named: ReadonlySet<string>): boolean {
  return [...named].some((one) => file === one || isBelow(file, one));
}
