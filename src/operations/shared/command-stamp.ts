import type { Stamp } from '../../storage/plan-store.js';
import { actorOfEnvironment, timeNow } from './environment.js';
import type { Environment } from './environment.js';

/** Stamps the events of one command: all but the first name the first, whose id is that of the change. */
export function stampOfCommand(environment: Environment): { readonly stamp: Stamp } & {
  readonly changeId: () => string | undefined;
} {
  let change: string | undefined;
  return {
    changeId: () => change,
    stamp: () => {
      const id = environment.ids.eventId();
      const at = timeNow(environment);
      const stamped = {
        id,
        at,
        by: actorOfEnvironment(environment),
        ...(change === undefined ? {} : { change }),
      };
      change ??= id;
      return stamped;
    },
  };
}

/** Plans of a database have its time, whatever the clocks of the machines say that work on them. */
export function withClockOfStore(own: Environment): {
  readonly environment: Environment;
  readonly noteClock: (found: () => number | null) => void;
} {
  let clock: (() => number | null) | null = null;
  return {
    environment: { ...own, now: () => clock?.() ?? own.now() },
    noteClock(found) {
      clock = found;
    },
  };
}
