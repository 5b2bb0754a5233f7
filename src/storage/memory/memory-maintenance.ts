import { stringifyPlanFile, toPlanFile } from '../../plan/snapshot/plan-file.js';
import type { Maintenance } from '../maintenance.js';
import type { PlanStore } from '../plan-store.js';

/** Maintenance of a store in memory, in which nothing can be damaged and no copy outlives the process. */
export function createMemoryMaintenance(store: PlanStore): Maintenance {
  return {
    async *examine() {
      // There is nothing to look at.
    },
    async snapshot(planId) {
      const plan = await store.view(planId);
      return plan === null ? null : stringifyPlanFile(toPlanFile(plan));
    },
    keepCopy: async () => null,
  };
}
