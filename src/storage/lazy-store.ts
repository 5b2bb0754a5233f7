import type { PlanStore } from './plan-store.js';

/**
 * A store that is opened when something is asked of it, so that what it takes is loaded then and by nobody else.
 * @param location where it is, for messages
 */
export function createLazyStore(location: string, open: () => Promise<PlanStore>): PlanStore {
  let opened: Promise<PlanStore> | null = null;
  const store = () => (opened ??= open());
  return {
    location,
    create: async (first, rest) => (await store()).create(first, rest),
    open: async (planId, from) => (await store()).open(planId, from),
    view: async (planId) => (await store()).view(planId),
    findDamage: async (planId, depth) => (await store()).findDamage(planId, depth),
    eventsOf: async (planId, type, goal) => (await store()).eventsOf(planId, type, goal),
    recentEvents: async (planId, wanted) => (await store()).recentEvents(planId, wanted),
    subscribe(onChange) {
      let stop: (() => void) | null = null;
      let isOver = false;
      void store().then(
        (found) => {
          if (!isOver) stop = found.subscribe(onChange);
        },
        // Whatever else is asked of it says why it cannot be opened.
        () => undefined,
      );
      return () => {
        isOver = true;
        stop?.();
      };
    },
    ids: async () => (await store()).ids(),
    list: async (which) => (await store()).list(which),
    purge: async (planId) => (await store()).purge(planId),
  };
}
