import { createHash } from 'node:crypto';

import type { Environment } from '../src/operations/shared/environment.js';
import type { IdSource } from '../src/plan/ids.js';

/** Between one event and the next, so that no two have the same time. */
const MOMENT_MS = 8;
/** Beyond the greatest process number of any system, so that no process is taken for the one that planned. */
const NO_PID = 2 ** 22 + 1;

/** A workspace's environment in which time passes and people act only as they are told to. */
export interface ExampleWorld {
  readonly environment: Environment;
  /** From now on it is `at`, which must be later, and `by` acts. */
  readonly act: (at: string, by: string) => void;
  /** Lets time pass. */
  readonly wait: (seconds: number) => void;
}

/** A world that begins when the plan is started and draws the same ids each time. */
export function createExampleWorld(
  plan: { readonly id: string; readonly started: string; readonly by: string },
  workingFolder: string,
): ExampleWorld {
  let now = Date.parse(plan.started);
  let actor = plan.by;
  const [user = '', host = ''] = plan.by.split('@');
  const ids = idsOf(plan.id);

  return {
    environment: {
      variables: {
        get FRCTL_BY() {
          return actor;
        },
      },
      workingFolder,
      // The example is the same wherever it is made.
      logMark: () => '',
      // A folder that does not exist: no one's own configuration has a say.
      homeFolder: `${workingFolder}/no-home`,
      user,
      host,
      pid: NO_PID,
      ids: {
        ...ids,
        eventId() {
          now += MOMENT_MS;
          return ids.eventId();
        },
      },
      now: () => now,
      random: () => 0.5,
    },
    act(at, by) {
      if (Date.parse(at) < now) throw new Error(`${at} is in the past`);
      now = Date.parse(at);
      actor = by;
    },
    wait(seconds) {
      now += Math.round(seconds * 1000);
    },
  };
}

/** Ids that look drawn by chance and follow from the plan's. */
function idsOf(planId: string): IdSource {
  let drawn = 0;
  const draw = (length: number) => {
    drawn += 1;
    const digest = createHash('sha256').update(`${planId} ${drawn}`).digest('hex');
    return BigInt(`0x${digest}`).toString(36).slice(-length);
  };
  return { planId: () => planId, goalSuffix: () => draw(6), eventId: () => draw(16) };
}
