import { PlanError } from '../../kernel/errors.js';
import type { PlanLog } from '../../storage/plan-store.js';
import type { Context } from './context.js';
import { findGoalByName, findPlan } from './find-plan.js';
import type { FoundGoal } from './find-plan.js';

/** The plan that a name stands for, as one that can be changed. @throws PlanError PLAN_NOT_FOUND, AMBIGUOUS_NAME, WRONG_STATE */
export async function planToChange(context: Context, name: string | undefined): Promise<PlanLog> {
  const log = await findPlan(context, name, 'change');
  refuseArchived(log);
  await context.noteChanged(log.plan.header.id);
  return log;
}

/** A goal of a plan that can be changed. @throws PlanError GOAL_NOT_FOUND, PLAN_NOT_FOUND, WRONG_STATE */
export async function goalToChange(
  context: Context,
  name: string,
  { plan }: { readonly plan?: string | undefined },
): Promise<FoundGoal> {
  const found = await findGoalByName(context, name, plan, 'change');
  refuseArchived(found.log);
  await context.noteChanged(found.log.plan.header.id);
  return found;
}

/** Refuses to change a plan that is archived. @throws PlanError WRONG_STATE */
export function refuseArchived(log: PlanLog): void {
  if (!log.archived) return;
  const { id } = log.plan.header;
  throw new PlanError('WRONG_STATE', `plan ${id} is archived`, {
    hint: { commandLine: `\`plan restore ${id}\` brings it back.` },
  });
}
