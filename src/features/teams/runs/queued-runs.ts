import type { RunLog } from '../../runs/model/run-log.js';
import type { Run } from '../../runs/model/run.js';
import { messageOf, PlanError } from '../../../kernel/errors.js';
import type { Team } from '../team.js';
import type { Context } from '../../../operations/shared/context.js';
import { openRunState } from '../../runs/operations/run-state.js';

/** Whether workers are to go on with a run now. */
export function isForWorkers({ ended, workers, waiting }: Run): boolean {
  return ended === null && workers !== null && waiting.length === 0;
}

interface RunFinderOptions {
  readonly context: Context;
  readonly team: Team;
  /** Told of a run that cannot be read. */
  readonly onUnreadable: (run: string, message: string) => void;
}

/**
 * Makes what finds runs that were left to workers, and keeps their logs open. It gives a run as it is now; null where
 * workers have nothing to do with it any more, which is then forgotten; undefined where it cannot be read. It throws a
 * PlanError STORAGE_FAILED.
 */
export function runFinder({
  context,
  team,
  onUnreadable,
}: RunFinderOptions): (run: string) => Promise<RunLog | null | undefined> {
  const logs = new Map<string, Promise<RunLog>>();
  const open = (run: string) => {
    const opening = openRunState(context, run);
    logs.set(run, opening);
    return opening;
  };
  return async (name) => {
    try {
      const log = await (logs.get(name) ?? open(name));
      const run = await log.refresh();
      if (run.ended === null && run.workers !== null) return log;
      logs.delete(name);
      await team.forgetRun(name);
      return null;
    } catch (cause) {
      logs.delete(name);
      if (!(cause instanceof PlanError) || cause.code === 'STORAGE_FAILED') throw cause;
      if (cause.code === 'E_PLAN_NOT_FOUND') return null;
      onUnreadable(name, `Workers cannot look after ${name}: ${messageOf(cause)}`);
      return undefined;
    }
  };
}
