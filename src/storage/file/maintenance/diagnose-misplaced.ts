import { basename } from 'node:path';

import type { Diagnosis } from '../../maintenance.js';
import { hasMisplaced, isDouble, misplacedAt, ownersOfFiles, putInPlace } from './misplaced-files.js';
import type { MisplacedFile, Owners } from './misplaced-files.js';

/** The files of a store that hold another plan than their names say, by the plans of those names. */
export interface MisplacedFiles {
  readonly diagnoses: ReadonlyMap<string, readonly Diagnosis[]>;
  /** Whether a plan has such a file still: then nothing else can be said of it. */
  isOf(planId: string): boolean;
}

/**
 * Looks for files that hold another plan than their names say: somebody renamed, exchanged or copied them.
 * @throws PlanError STORAGE_FAILED
 */
export async function diagnoseMisplaced(store: string): Promise<MisplacedFiles> {
  const owners = await ownersOfFiles(store);
  const found = misplacedIn(owners);
  const diagnoses = new Map<string, Diagnosis[]>();
  // What goes has its own copy made first; what is only renamed afterwards keeps all it is.
  for (const misplaced of found.toSorted((one, other) => rank(owners, one) - rank(owners, other)))
    diagnoses.set(misplaced.named, [
      ...(diagnoses.get(misplaced.named) ?? []),
      diagnosisOf(store, owners, misplaced),
    ]);
  return { diagnoses, isOf: (planId) => hasMisplaced(store, owners, planId) };
}

function misplacedIn(owners: Owners): readonly MisplacedFile[] {
  return [...owners.keys()].flatMap((path) => misplacedAt(owners, path) ?? []);
}

function rank(owners: Owners, misplaced: MisplacedFile): number {
  return isDouble(owners, misplaced) ? 0 : 1;
}

function diagnosisOf(store: string, owners: Owners, misplaced: MisplacedFile): Diagnosis {
  const { path, isLog, owner, target } = misplaced;
  const kind = isLog ? 'event log' : 'plan file';
  return {
    code: 'OTHER_PLAN',
    severity: 'error',
    file: path,
    message: `this is the ${kind} of plan ${owner}; its name should be ${basename(target)}`,
    cure: isDouble(owners, misplaced)
      ? `\`plan doctor --fix\` keeps a copy and removes it, for ${basename(target)} is there${isLog ? ', and adds to that what it lacks of it' : ''}.`
      : '`plan doctor --fix` gives it that name, and whatever stands there its own. What cannot be told stays: move it elsewhere.',
    mend: () => putInPlace(store, owners, misplaced),
  };
}
