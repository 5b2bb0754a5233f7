import { dirname } from 'node:path';

import { userConfigPath } from './environment.js';
import type { Environment } from './environment.js';
import { noStore, readPlanOfUser, storePlanOfUser } from './open-files.js';
import type { StoreLocation } from './store-location.js';

/** Which plan is meant where none is named. */
export interface PlanOfUser {
  /** The plan that the user has chosen to be meant where none is named; null where he has chosen none. */
  chosenPlan(): Promise<string | null>;
  /** Keeps that choice for this user and this store; null is none. @throws PlanError STORE_NOT_FOUND, STORAGE_FAILED */
  choosePlan(id: string | null): Promise<void>;
  /**
   * The plan that this user changed last, in a store that others change as well, which is a database; null elsewhere, and
   * where that is not known.
   */
  changedPlan(): Promise<string | null>;
  /** Keeps which plan that is. What goes wrong with that is no fault of the change. */
  noteChanged(id: string | null): Promise<void>;
}

/**
 * Which plan a user means where none is named: the one chosen, or the one changed last.
 * @param inMemory where that is kept for a store in memory; null for a store in a folder or a database
 */
export function planOfUser(
  {
    storeFolder,
    inDatabase,
    environment,
  }: Pick<StoreLocation, 'storeFolder' | 'inDatabase'> & { readonly environment: Environment },
  inMemory: { chosen?: string | null } | null,
): PlanOfUser {
  const own = dirname(userConfigPath(environment));
  const shared = () => {
    const path = inMemory === null ? storeFolder() : null;
    return inDatabase(path) ? path : null;
  };
  const changedPlan = async () => {
    const path = shared();
    return path === null ? null : readPlanOfUser(own, path, 'changed');
  };
  return {
    async chosenPlan() {
      const path = storeFolder();
      return path === null ? (inMemory?.chosen ?? null) : readPlanOfUser(own, path, 'chosen');
    },
    async choosePlan(id) {
      const path = storeFolder();
      if (inMemory !== null) inMemory.chosen = id;
      else if (path === null) throw noStore(path, environment);
      else await storePlanOfUser(own, path, 'chosen', id);
    },
    changedPlan,
    async noteChanged(id) {
      const path = shared();
      if (path === null || (await changedPlan().catch(() => null)) === id) return;
      await storePlanOfUser(own, path, 'changed', id).catch(() => undefined);
    },
  };
}
