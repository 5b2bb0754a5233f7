import type { Plan } from '../../plan/plan.js';
import { delegateIn } from '../planning/delegate.js';
import { isPlannerAlive } from '../planning/run/planned-now.js';
import type { Context } from '../shared/context.js';
import type { StatusReport } from './status-schema.js';

/**
 * Who plans a plan now, or is to: a process that lives, or workers, also before the first is there and while they end
 * what they have begun. Null when nobody does.
 * @throws PlanError STORAGE_FAILED
 */
export async function findActivePlanner(
  context: Context,
  plan: Plan,
): Promise<NonNullable<StatusReport['planning']> | null> {
  const { run } = plan.header;
  if (run === undefined) return null;
  const { host, pid } = run;
  if (run.workers !== true)
    return (await isPlannerAlive(run, plan, context)) ? { by: 'process', host, pid, workers: null } : null;
  const delegate = await delegateIn(context);
  // No worker reaches a store of files: such a plan was copied from a database.
  if (delegate === null || !(await delegate.isReached(context))) return null;
  return { by: 'workers', host, pid, workers: await delegate.workers(context) };
}
