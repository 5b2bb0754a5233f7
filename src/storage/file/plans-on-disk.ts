import { fileIdentity } from '../../host/files/file-identity.js';
import { PLAN_FOLDERS, planFolderPath, planIdOfFile, planIdOfPurged, planPaths } from './store-paths.js';
import type { PlanFolder } from './store-paths.js';
import { readPlainFolder } from '../../host/files/plain-file.js';
import { isPurged } from './purge-plan.js';
import { sweepTemporaries } from './sweep-temporaries.js';
import { errorCode, storageError } from '../../host/files/storage-error.js';

/** What a folder has of a plan's two files. */
export interface FilesThere {
  readonly plan: boolean;
  readonly log: boolean;
  /** Whether something that is no plain file, such as a link, has the name of one of them. */
  readonly strange: boolean;
}

/** A plan and the files that count. */
export interface PlanOnDisk {
  readonly planFolder: PlanFolder;
  readonly files: FilesThere;
  /** Whether the other folder has files of it too, as after a merge with what 0.1 moved. */
  readonly isInBoth: boolean;
}

const NONE: FilesThere = { plan: false, log: false, strange: false };

/**
 * Where the files of a plan are that count: where its log is, the store's own folder first; where there is no log,
 * where its plan file is. Null when there is no such plan.
 * @throws PlanError STORAGE_FAILED, INVALID_INPUT
 */
export async function findPlanFolder(store: string, planId: string): Promise<PlanFolder | null> {
  for (const planFolder of PLAN_FOLDERS)
    if ((await fileIdentity(planPaths(store, planId, planFolder).eventLog)) !== null) return planFolder;
  for (const planFolder of PLAN_FOLDERS) {
    const paths = planPaths(store, planId, planFolder);
    if ((await fileIdentity(paths.planFile)) !== null && !(await isPurged(paths))) return planFolder;
  }
  return null;
}

/**
 * The plans of a store by id, without looking at their files. Removes temporary files that were left behind.
 * @param now milliseconds since 1970
 * @param noArchive told why `archive/` cannot be looked into; without it that is thrown
 * @throws PlanError STORAGE_FAILED
 */
export async function plansOnDisk(
  store: string,
  now: number,
  noArchive?: (path: string, cause: unknown) => void,
): Promise<ReadonlyMap<string, PlanOnDisk>> {
  const own = await filesIn(store, 'store', now);
  const archived = await filesIn(store, 'archive', now).catch((cause: unknown) => {
    if (noArchive === undefined) throw cause;
    noArchive(planFolderPath(store, 'archive'), cause);
    return new Map<string, FilesThere>();
  });
  const found = new Map<string, PlanOnDisk>();
  for (const id of new Set([...own.keys(), ...archived.keys()])) {
    const here = own.get(id);
    const there = archived.get(id);
    const inArchive = here === undefined || (!here.log && there?.log === true);
    const files = (inArchive ? there : here) ?? NONE;
    const isInBoth = here !== undefined && there !== undefined;
    found.set(id, { planFolder: inArchive ? 'archive' : 'store', files, isInBoth });
  }
  return found;
}

async function filesIn(
  store: string,
  planFolder: PlanFolder,
  now: number,
): Promise<ReadonlyMap<string, FilesThere>> {
  const folder = planFolderPath(store, planFolder);
  const found = new Map<string, FilesThere>();
  try {
    const entries = await readPlainFolder(folder);
    for (const entry of entries) {
      const id = planIdOfFile(entry.name);
      if (id === null) continue;
      const { plan, log, strange } = found.get(id) ?? NONE;
      const isPlanFile = entry.name.endsWith('.json');
      found.set(id, {
        plan: plan || isPlanFile,
        log: log || !isPlanFile,
        strange: strange || !entry.isFile(),
      });
    }
    const names = entries.map(({ name }) => name);
    for (const id of names.map(planIdOfPurged))
      if (id !== null && found.get(id)?.log === false) found.delete(id);
    await sweepTemporaries(folder, names, now);
    return found;
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return found;
    throw storageError('read', folder, cause);
  }
}
