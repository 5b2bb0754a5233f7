import type { PlanLog, PlanStore } from '../../../storage/plan-store.js';
import { runOfWorkers } from './plan-session.js';

/** How long a plan is kept open that nobody has looked at: one that workers plan still, and one that rests. */
const IDLE_MS = 60_000;
const RESTING_MS = 2000;

/** The plans that one worker has open. It may live for months, so it keeps none for longer than it needs it. */
export interface OpenPlans {
  /** @throws PlanError PLAN_NOT_FOUND, STORE_DAMAGED, STORAGE_FAILED */
  open(planId: string): Promise<PlanLog>;
  /** Has a plan in hand as long as the work takes. */
  inHandFor<T>(planId: string, work: () => Promise<T>): Promise<T>;
  /** Those that are in hand. */
  inHand(): readonly string[];
  /** Those that nobody has in hand or has looked at for some time. */
  idle(): Promise<readonly string[]>;
  /** Lets go of a plan. */
  forget(planId: string): void;
}

/** Makes the record of the plans that a worker has open; at first none is. */
export function createOpenPlans(store: () => PlanStore): OpenPlans {
  const logs = new Map<string, Promise<PlanLog>>();
  const usedAt = new Map<string, number>();
  const counts = new Map<string, number>();
  return {
    open(planId) {
      usedAt.set(planId, performance.now());
      const found = logs.get(planId);
      if (found !== undefined) return found;
      const opened = store().open(planId);
      logs.set(planId, opened);
      opened.catch(() => logs.delete(planId));
      return opened;
    },
    async inHandFor(planId, work) {
      counts.set(planId, (counts.get(planId) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = (counts.get(planId) ?? 1) - 1;
        if (left > 0) counts.set(planId, left);
        else counts.delete(planId);
      }
    },
    inHand: () => [...counts.keys()],
    async idle() {
      const looks = [...logs].map(async ([planId, opened]) =>
        (await isIdle(planId, opened)) ? [planId] : [],
      );
      return (await Promise.all(looks)).flat().filter((planId) => !counts.has(planId));
    },
    forget(planId) {
      logs.delete(planId);
      usedAt.delete(planId);
    },
  };

  async function isIdle(planId: string, opened: Promise<PlanLog>): Promise<boolean> {
    const log = await opened.catch(() => null);
    const longest = log === null || runOfWorkers(log.plan) === null ? RESTING_MS : IDLE_MS;
    return (usedAt.get(planId) ?? 0) + longest < performance.now();
  }
}
