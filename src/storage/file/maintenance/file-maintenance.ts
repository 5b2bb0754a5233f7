import { keepCopy, readStoredTextIfAny } from '../../../host/files/text-files.js';
import type { Examination, Maintenance } from '../../maintenance.js';
import type { PlanStore } from '../../plan-store.js';
import { backUp, inspectFiles } from '../inspect.js';
import { backupPath, PLAN_PLACES, planPaths } from '../layout.js';
import { placeOf, plansOnDisk } from '../plans-on-disk.js';
import { fileDiagnoses, storeDiagnoses } from './diagnose-files.js';
import { removedLogDiagnoses } from './diagnose-journal.js';
import { diagnosePlan } from './diagnose-plan.js';
import { diagnoseTwoPlaces } from './diagnose-two-places.js';

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
      const place = (await placeOf(folder, planId)) ?? 'store';
      return readStoredTextIfAny(planPaths(folder, planId, place).planFile);
    },
    keepCopy: (path, under) => keepCopy(path, backupPath(folder, under)),
  };
}

async function* examineFiles(
  { store, folder, now }: FileMaintenanceOptions,
  keep: 'file' | 'log' | undefined,
): AsyncGenerator<Examination> {
  const ofStore = { plan: null, backUp: null };
  for (const place of PLAN_PLACES)
    yield { ...ofStore, diagnoses: fileDiagnoses(await inspectFiles(folder, place), folder) };
  for (const [plan, diagnosis] of await removedLogDiagnoses(folder))
    yield { plan, diagnoses: [diagnosis], backUp: null };
  for (const [id, { place, isInBoth }] of await plansOnDisk(folder, now()))
    yield {
      plan: id,
      diagnoses: [
        ...(await diagnosePlan({ store, folder, place, id, keep })),
        ...(isInBoth ? [await diagnoseTwoPlaces({ store, folder, place, id })] : []),
      ],
      backUp: () => backUp(folder, id, new Date(now()).toISOString()),
    };
  yield { ...ofStore, diagnoses: await storeDiagnoses(folder, store) };
}
