import { archiveNamed } from '../../maintenance/archive-plan.js';
import type { RunContext } from '../../operation.js';
import type { Context } from '../../shared/context.js';
import { findPlan } from '../../shared/find-plan.js';
import type { PlanningResult } from '../planning-progress.js';

/** Archives a plan of which only the root exists because no model answered: a failed try leaves nothing in the list. */
export async function archiveFailedTry(context: RunContext, result: PlanningResult): Promise<PlanningResult> {
  const { id, paused_because: because, total_goals: goals } = result.plan;
  if (because !== 'model' || goals > 1) return result;
  const plan = await archiveNamed(context, id);
  context.emit({
    type: 'notice',
    message: `No model answered, so plan ${id} is archived: \`plan resume ${id}\` restores it and goes on.`,
  });
  return { ...result, plan };
}

/** Restores a plan that {@link archiveFailedTry} archived, where it is named to go on with. @returns whether it did */
export async function restoreFailedTry(context: Context, name: string | undefined): Promise<boolean> {
  if (name === undefined) return false;
  const log = await findPlan(context, name, 'change');
  const isFailedTry = log.archived && log.plan.header.paused_because === 'model' && log.plan.goals.size === 1;
  if (isFailedTry) await log.append([{ type: 'plan_unarchived' }]);
  return isFailedTry;
}
