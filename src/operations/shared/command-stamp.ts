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
