import type { Context } from '../../../operations/shared/context.js';
import type { Delegate } from '../../../operations/shared/hooks.js';
import { TEAM } from '../parts.js';
import { beginWorkers, refuseForWorkers } from './begin-workers.js';
import { endPausedRun } from './end-paused-run.js';
import { teamOf } from './team-of.js';

/** Workers, who plan in the place of the process that was asked to. */
export const workers: Delegate<Context> = {
  refuse: refuseForWorkers,
  begin: beginWorkers,
  isReached: async (context) => (await context.partIfAny(TEAM)) !== null,
  workers: async (context) => (await teamOf(context)).living(),
  callers: async (context) => (await (await context.partIfAny(TEAM))?.callers()) ?? [],
  end: endPausedRun,
};
