import { PlanError } from '../../kernel/errors.js';
import { summarize } from '../../plan/plan.js';
import type { Summary } from '../../plan/schema.js';
import { isRunning } from '../../host/process.js';
import type { PlanLog } from '../../storage/plan-store.js';
import type { Context } from '../shared/context.js';
import { findPlan } from '../shared/find-plan.js';

/**
 * Archives a plan: it is listed apart and not worked on until it is brought back. Its files stay where they are.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE when it is archived already, PLANNER_BUSY, STORAGE_FAILED
 */
export async function archivePlan(context: Context, name: string | undefined): Promise<Summary> {
  const log = await findPlan(context.store(), name);
  if (log.archived) throw inThatState(log, 'archived already');
  await refuseWhilePlanned(context, log);
  return write(log, 'plan_archived');
}

/**
 * Brings a plan back from the archive; the one archived last, when none is named.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE when it is not archived, STORAGE_FAILED
 */
export async function restorePlan(context: Context, name: string | undefined): Promise<Summary> {
  const store = context.store();
  const log = await findPlan(store, name ?? (await archivedLast(context)));
  if (!log.archived) throw inThatState(log, 'not archived');
  return write(log, 'plan_unarchived');
}

/** @throws PlanError PLANNER_BUSY while a process of this machine plans the plan */
export async function refuseWhilePlanned({ environment }: Context, log: PlanLog): Promise<void> {
  const { run } = log.plan.header;
  if (run === undefined || run.host !== environment.host || !(await isRunning(run))) return;
  throw new PlanError('PLANNER_BUSY', `process ${run.pid} is planning this plan`, {
    hint: '`plan pause` asks it to stop.',
  });
}

async function write(log: PlanLog, type: 'plan_archived' | 'plan_unarchived'): Promise<Summary> {
  const [outcome] = await log.append([{ type }]);
  // Another process was faster.
  if (outcome !== undefined && outcome.refused !== null)
    throw inThatState(log, type === 'plan_archived' ? 'archived already' : 'not archived');
  await log.publish('now');
  return summarize(log.plan);
}

async function archivedLast(context: Context): Promise<string> {
  const [last] = (await context.store().list('archived')).plans;
  if (last === undefined) throw new PlanError('PLAN_NOT_FOUND', 'the archive is empty');
  return last.id;
}

function inThatState({ plan }: PlanLog, state: string): PlanError {
  return new PlanError('WRONG_STATE', `plan ${plan.header.id} is ${state}`, {
    details: { plan: plan.header.id },
  });
}
